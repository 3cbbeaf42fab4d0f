import type { PendingWrites } from '../pending-writes.ts';
import type { Counter, State } from '../shapes.ts';
import type { PendingKapsule } from './pending-kapsule.ts';

export async function removeMany(
  pending: PendingWrites,
  ids: readonly string[],
  by: string,
): Promise<string[]> {
  return await forEach(pending, ids, (kapsule, state) => {
    if (state.dead) return false;
    const { counter, now } = kapsule;
    const deletion = { from: kapsule.nextChange(), dead: true, deletedAt: now, deletedBy: by };
    kapsule.replace(state, { ...state, ...deletion });
    counter.total -= 1;
    counter.deleted += 1;
    if (state.change <= counter.reloadedThrough) counter.reloaded -= 1;
    return true;
  });
}

/** Restoring is a change of its own, so that incremental readers get the granule again. */
export async function restoreMany(
  pending: PendingWrites,
  ids: readonly string[],
  by: string,
): Promise<string[]> {
  return await forEach(pending, ids, (kapsule, state) => {
    if (!state.dead) return false;
    const { counter, now } = kapsule;
    const change = kapsule.nextChange();
    kapsule.replace(state, {
      ...state,
      version: state.version + 1,
      change,
      from: change,
      updatedAt: now,
      dead: false,
      deletedAt: null,
      deletedBy: null,
      restoredBy: by,
    });
    counter.total += 1;
    counter.deleted -= 1;
    return true;
  });
}

async function forEach(
  pending: PendingWrites,
  ids: readonly string[],
  work: (kapsule: PendingKapsule, state: State) => boolean,
): Promise<string[]> {
  const kapsules = await kapsulesOf(pending, ids);
  const changed: string[] = [];
  for (const kapsule of kapsules) {
    kapsule.keepNumbers();
    const wanted = new Set(ids);
    const before = changed.length;
    for (const state of kapsule.states.values()) {
      if (state && wanted.has(state.id) && work(kapsule, state)) changed.push(state.id);
    }
    if (changed.length > before) kapsule.count(changed.length - before);
  }
  return changed;
}

/** The kapsules that these granules may be in, which then know the stored states of them. */
async function kapsulesOf(pending: PendingWrites, ids: readonly string[]): Promise<PendingKapsule[]> {
  const { states, counters } = pending.database;
  const found = await states.find({ id: { $in: [...ids] }, current: { $exists: true } }).toArray();
  const byKapsule = Map.groupBy(found, ({ k }) => k);
  const owners: Counter[] = await counters.find({ k: { $in: [...byKapsule.keys()] } }).toArray();
  for (const { _id, k } of owners) {
    const kapsule = await pending.kapsule(_id, false);
    // The unit may have purged the kapsule and begun another one under its name.
    if (kapsule?.counter.k === k) kapsule.meet(byKapsule.get(k) ?? []);
  }
  return pending.kapsules;
}
