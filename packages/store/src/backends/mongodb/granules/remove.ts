import type { Draft } from '../pending-writes.ts';
import type { Counter, State } from '../shapes.ts';
import type { KapsuleDraft } from './pending-kapsule.ts';

export async function removeMany(draft: Draft, ids: readonly string[], by: string): Promise<number> {
  return await forEach(draft, ids, (kapsule, state) => {
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

/** A restored granule is a change of its own: whoever reads only what is new gets it again. */
export async function restoreMany(draft: Draft, ids: readonly string[], by: string): Promise<number> {
  return await forEach(draft, ids, (kapsule, state) => {
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
  draft: Draft,
  ids: readonly string[],
  work: (kapsule: KapsuleDraft, state: State) => boolean,
): Promise<number> {
  const kapsules = await kapsulesOf(draft, ids);
  let count = 0;
  for (const kapsule of kapsules) {
    kapsule.keepNumbers();
    const wanted = new Set(ids);
    let changes = 0;
    for (const state of kapsule.states.values()) {
      if (state && wanted.has(state.id) && work(kapsule, state)) changes += 1;
    }
    if (changes > 0) kapsule.count(changes);
    count += changes;
  }
  return count;
}

/** The kapsules that these granules may be in, which then know the stored states of them. */
async function kapsulesOf(draft: Draft, ids: readonly string[]): Promise<KapsuleDraft[]> {
  const { states, counters } = draft.database;
  const found = await states.find({ id: { $in: [...ids] }, current: { $exists: true } }).toArray();
  const byKapsule = Map.groupBy(found, ({ k }) => k);
  const owners: Counter[] = await counters.find({ k: { $in: [...byKapsule.keys()] } }).toArray();
  for (const { _id, k } of owners) {
    const kapsule = await draft.kapsule(_id, false);
    // The unit may have purged the kapsule and begun another one under its name.
    if (kapsule?.counter.k === k) kapsule.meet(byKapsule.get(k) ?? []);
  }
  return draft.kapsules;
}
