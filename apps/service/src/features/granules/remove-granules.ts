import { limits } from '@kaptain/contract';
import type { GranuleFilter, KapsuleRecord, Unit } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import type { Call } from '../../http/call.ts';
import { granulesOf } from '../../kapsule-rules/granules-of.ts';
import { changeable, readable, targetOf } from '../../kapsule-rules/kapsule-access.ts';
import { audit } from '../../security/audit.ts';
import { presentCaller } from '../../security/present-caller.ts';
import { requireBinding } from './binding.ts';
import type { GranulesDeps } from './granules-deps.ts';

type Binding = Parameters<typeof requireBinding>[0];

/** How many ids an audit entry names. */
const NAMED = 100;
const ID = { start: '{"_id":"'.length, length: 24 };

const idsIn = (lines: string): string[] =>
  lines
    .slice(0, -1)
    .split('\n')
    .map((line) => line.slice(ID.start, ID.start + ID.length));

const changed = () =>
  new AppError('CONFLICT', 'The records have changed meanwhile. Please look at them again before deleting.');

export function granuleRemoval({ store, clock }: GranulesDeps) {
  /** There is no kapsule in the call, so every granule is led back to its own: the table is shared by many. */
  async function byKapsule(ids: readonly string[], isAdmin: boolean): Promise<Map<string, string[]>> {
    const kapsules = await store.granules.kapsulesOf(ids);
    const found = new Map<string, string[]>();
    for (const id of new Set(ids)) {
      const kapsuleId = kapsules.get(id);
      if (kapsuleId === undefined) throw new AppError(isAdmin ? 'NOT_FOUND' : 'FORBIDDEN');
      const known = found.get(kapsuleId);
      if (known) known.push(id);
      else found.set(kapsuleId, [id]);
    }
    return found;
  }

  async function removeFrom(
    unit: Unit,
    kapsule: KapsuleRecord,
    ids: readonly string[],
    call: Call<'loggedIn'>,
  ) {
    const granules = granulesOf(unit, kapsule);
    let deleted = 0;
    for (let first = 0; first < ids.length; first += limits.granuleIdsPerDelete)
      deleted += await granules.removeMany(
        ids.slice(first, first + limits.granuleIdsPerDelete),
        call.caller.username,
      );
    await audit(unit, call, clock(), {
      action: 'granule.remove',
      target: targetOf(kapsule),
      before: { count: deleted, granuleIds: ids.slice(0, NAMED) },
    });
    return deleted;
  }

  return {
    /** All of them, or none when one may not be deleted. */
    async byIds(ids: readonly string[], binding: Binding, call: Call<'loggedIn'>): Promise<number> {
      const wanted = await byKapsule(ids, call.caller.role === 'ADMIN');
      return store.transaction(async (unit) => {
        const caller = await presentCaller(unit, call.caller);
        let deleted = 0;
        for (const [kapsuleId, granuleIds] of wanted) {
          const { kapsule } = await changeable(unit, kapsuleId, caller).catch((error: unknown) => {
            // A kapsule the caller can't read shall look the same as one they may only read.
            throw error instanceof AppError && error.code === 'NOT_FOUND' ? new AppError('FORBIDDEN') : error;
          });
          requireBinding(binding, kapsule);
          deleted += await removeFrom(unit, kapsule, granuleIds, call);
        }
        return deleted;
      });
    },

    /** What the caller saw as so many must still be so many. */
    async matching(
      id: string,
      filter: GranuleFilter,
      expected: number,
      call: Call<'loggedIn'>,
    ): Promise<number> {
      const { kapsule } = await changeable(store, id, call.caller);
      if (expected > limits.granulesPerDelete)
        throw new AppError(
          'TOO_LARGE',
          `At most ${limits.granulesPerDelete} records can be deleted at once.`,
        );
      const ids: string[] = [];
      for await (const lines of granulesOf(store, kapsule).stream(id, filter)) {
        ids.push(...idsIn(lines));
        if (ids.length > expected) throw changed();
      }
      if (ids.length !== expected) throw changed();
      return store.transaction(async (unit) => {
        const { kapsule: present } = await changeable(unit, id, await presentCaller(unit, call.caller));
        const deleted = await removeFrom(unit, present, ids, call);
        if (deleted !== expected) throw changed();
        return deleted;
      });
    },

    async restore(id: string, ids: readonly string[], call: Call<'admin'>): Promise<number> {
      await readable(store, id, call.caller);
      const kapsules = await store.granules.kapsulesOf(ids);
      if (ids.some((granuleId) => kapsules.get(granuleId) !== id)) throw new AppError('NOT_FOUND');
      return store.transaction(async (unit) => {
        const { kapsule } = await changeable(unit, id, await presentCaller(unit, call.caller));
        const restored = await granulesOf(unit, kapsule).restoreMany(ids, call.caller.username);
        const after = { count: restored, granuleIds: ids.slice(0, NAMED) };
        await audit(unit, call, clock(), { action: 'granule.restore', target: targetOf(kapsule), after });
        return restored;
      });
    },
  };
}
