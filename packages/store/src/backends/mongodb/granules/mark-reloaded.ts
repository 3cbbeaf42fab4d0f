import type { PendingWrites } from '../pending-writes.ts';
import type { State } from '../shapes.ts';

export async function markReloaded(
  pending: PendingWrites,
  kapsuleId: string,
  watermark: number,
): Promise<number> {
  const kapsule = await pending.kapsule(kapsuleId, false);
  if (!kapsule) return 0;
  const { counter, visible, fresh, ended, states } = kapsule;
  const [after, through] = [counter.reloadedThrough, Math.min(watermark, counter.lastChange)];
  if (through <= after) return 0;
  const isMeant = ({ dead, change }: State) => !dead && change > after && change <= through;
  let rows = await pending.database.states.countDocuments({
    k: counter.k,
    dead: false,
    change: { $gt: after, $lte: through },
    from: { $lte: visible },
    to: { $gt: visible },
  });
  // The database does not have this unit's own changes yet.
  if (ended.size > 0) {
    const gone = await pending.database.states.find({ _id: { $in: [...ended.keys()] } }).toArray();
    rows -= gone.filter(isMeant).length;
  }
  rows += [...fresh].filter((state) => states.get(state.key) === state && isMeant(state)).length;
  kapsule.keepNumbers();
  counter.reloaded += rows;
  counter.reloadedThrough = through;
  kapsule.isChanged = true;
  return rows;
}
