import { type Actor, DEFAULT_DATABASE, limits } from '@kaptain/contract';
import type { KapsuleRecord, Unit } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call, Caller } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { toAppError } from '../../http/server/errors.ts';
import { presentCaller } from '../../identity/sessions/present-caller.ts';
import { requireMayRemove } from '../approvals/approvers.ts';
import { retryConflicts } from '../data-api/retry-conflicts.ts';
import { changeable, readable, targetOf } from '../kapsules/kapsule-access.ts';
import { HeldRows, requireOpenRows } from '../locks/held-rows.ts';
import { DELETION_UNIT_MS } from '../tuning.ts';
import { filterOf, type GivenFilter } from './filter.ts';
import type { GranulesDeps } from './granules-deps.ts';
import { changeGranules, kapsulesOf } from './granules-of.ts';
import { isInReach, requireOfKey } from './key-limits.ts';
import { requireBinding } from './require-binding.ts';
import { changed, idsMatching, idsOfKeys } from './selected-ids.ts';

type Binding = Parameters<typeof requireBinding>[0];

/** The number of ids that an audit entry lists. */
const NAMED = 100;
const UNIT_ROWS = { least: 10, first: 50, most: 1000 };

const namesOf = (ids: readonly string[]) => ({ count: ids.length, granuleIds: ids.slice(0, NAMED) });

/** The same failure, saying how much of the work is done. */
function stoppedAfter(done: number, of: number, error: unknown): AppError {
  const { code, message, headers, details } = toAppError(error);
  return new AppError(code, `Stopped after ${done} of ${of}: ${message}`, {
    headers,
    details: { ...(typeof details === 'object' && details), done, of },
    cause: error,
  });
}

/** The first ids belong to data sources, where only their own table waits: they are changed in the first unit. */
interface Ordered {
  ids: readonly string[];
  inSources: number;
}

/** Changes unit after unit; `change` returns how many granules it has changed. */
async function unitByUnit(
  { ids, inSources }: Ordered,
  change: (unit: readonly string[]) => Promise<number>,
): Promise<number> {
  let changed = 0;
  let rows = UNIT_ROWS.first;
  for (let first = 0, end = inSources + rows; first < ids.length; first = end, end += rows) {
    const since = performance.now();
    try {
      changed += await change(ids.slice(first, end));
    } catch (error) {
      throw first === 0 ? error : stoppedAfter(changed, ids.length, error);
    }
    const isShort = performance.now() - since < DELETION_UNIT_MS;
    rows = Math.min(UNIT_ROWS.most, Math.max(UNIT_ROWS.least, isShort ? rows * 2 : Math.ceil(rows / 2)));
  }
  return changed;
}

const isInSource = ({ database }: KapsuleRecord) => database !== DEFAULT_DATABASE;
const inOrder = (kapsule: KapsuleRecord, ids: readonly string[]): Ordered => ({
  ids,
  inSources: isInSource(kapsule) ? ids.length : 0,
});

export function removeGranules(deps: GranulesDeps) {
  const { store, clock } = deps;
  /** Groups the granules by kapsule: the call names only granules. */
  async function byKapsule(ids: readonly string[], caller: Caller): Promise<Map<string, string[]>> {
    const seesAll = caller.role === 'ADMIN' && caller.kapsuleIds === undefined;
    const kapsules = await kapsulesOf(store, ids);
    const found = new Map<string, string[]>();
    for (const id of new Set(ids)) {
      const kapsuleId = kapsules.get(id);
      if (kapsuleId === undefined) throw new AppError(seesAll ? 'NOT_FOUND' : 'FORBIDDEN');
      if (!isInReach(caller, kapsuleId)) throw new AppError('FORBIDDEN');
      const known = found.get(kapsuleId);
      if (known) known.push(id);
      else found.set(kapsuleId, [id]);
    }
    return found;
  }

  /** Calls `change` with one batch of ids after the other; returns the ids of those that were changed. */
  async function inBatches(
    ids: readonly string[],
    change: (batch: readonly string[]) => Promise<string[]>,
  ): Promise<string[]> {
    const changed: string[] = [];
    for (let first = 0; first < ids.length; first += limits.granuleIdsPerDelete)
      changed.push(...(await change(ids.slice(first, first + limits.granuleIdsPerDelete))));
    return changed;
  }

  /** Restores the granules and writes the audit entry; `stale` is thrown when not all of them were deleted. */
  const restoreIn = (
    kapsule: KapsuleRecord,
    ids: readonly string[],
    call: Call<'admin'>,
    stale?: () => AppError,
  ): Promise<number> =>
    retryConflicts(async () => {
      const held = await HeldRows.of(deps, 'restored', new Map([[kapsule, ids]]), call.caller);
      return changeGranules(
        deps,
        [kapsule],
        async (_, granules) => {
          const restored = await inBatches(ids, (batch) => granules.restoreMany(batch, call.caller.username));
          await held.requireSameRows(kapsule, restored, granules);
          return restored;
        },
        async (unit, changes) => {
          const caller = await presentCaller(unit, call.caller);
          const { kapsule: present } = await changeable(unit, kapsule.id, caller);
          await held.requireSameLocks(unit, present, caller);
          const restored = changes.get(kapsule.id) ?? [];
          if (stale && restored.length !== ids.length) throw stale();
          const after = namesOf(restored);
          if (restored.length > 0)
            await audit(unit, call, clock(), { action: 'granule.restore', target: targetOf(present), after });
          return restored.length;
        },
      );
    });

  /** Deletes granules and writes an audit entry for each kapsule; `stale` is thrown when not all of them existed. */
  const removeAll = (
    wanted: ReadonlyMap<KapsuleRecord, readonly string[]>,
    call: Call<'loggedInOrKey'>,
    stale?: () => AppError,
  ): Promise<number> =>
    retryConflicts(async () => {
      const held = await HeldRows.of(deps, 'removed', wanted, call.caller);
      return changeGranules(
        deps,
        [...wanted.keys()],
        async (kapsule, granules) => {
          const ids = wanted.get(kapsule) ?? [];
          await held.requireSameRows(kapsule, ids, granules);
          return inBatches(ids, (batch) => granules.removeMany(batch, call.caller.username));
        },
        async (unit, changes) => {
          const caller = await presentCaller(unit, call.caller);
          let deleted = 0;
          for (const [{ id }, ids] of wanted) {
            const kapsule = await deletable(unit, id, caller);
            await held.requireSameLocks(unit, kapsule, caller);
            const removed = changes.get(id) ?? [];
            if (stale && removed.length !== ids.length) throw stale();
            if (removed.length > 0) await note(unit, kapsule, removed, call);
            deleted += removed.length;
          }
          return deleted;
        },
      );
    });

  const note = (
    unit: Unit,
    kapsule: KapsuleRecord,
    removed: readonly string[],
    call: Call<'loggedInOrKey'>,
  ) =>
    audit(unit, call, clock(), {
      action: 'granule.remove',
      target: targetOf(kapsule),
      before: namesOf(removed),
    });

  /** A kapsule whose granules the caller may delete. */
  async function emptiable(
    nouns: Pick<Unit, 'kapsules' | 'groups'>,
    id: string,
    caller: Actor,
  ): Promise<KapsuleRecord> {
    const seen = await changeable(nouns, id, caller);
    requireMayRemove(seen, caller);
    return seen.kapsule;
  }

  /** A kapsule that the caller can't read is refused like one that they may only read. */
  async function deletable(
    nouns: Pick<Unit, 'kapsules' | 'groups'>,
    id: string,
    caller: Actor,
  ): Promise<KapsuleRecord> {
    try {
      return await emptiable(nouns, id, caller);
    } catch (error) {
      const isHidden = error instanceof AppError && error.code === 'NOT_FOUND' && caller.role !== 'ADMIN';
      throw isHidden ? new AppError('FORBIDDEN') : error;
    }
  }

  return {
    /** Deletes nothing when the caller may not delete one of them. */
    async byIds(ids: readonly string[], binding: Binding, call: Call<'loggedInOrKey'>): Promise<number> {
      requireOfKey(call.caller, 'DELETE');
      const wanted: { kapsule: KapsuleRecord; ids: string[] }[] = [];
      for (const [kapsuleId, some] of await byKapsule(ids, call.caller)) {
        const kapsule = await deletable(store, kapsuleId, call.caller);
        requireBinding(binding, kapsule);
        wanted.push({ kapsule, ids: some });
      }
      const ofKapsules = new Map(wanted.map(({ kapsule, ids: some }) => [kapsule, some]));
      await requireOpenRows(deps, 'removed', ofKapsules, call.caller);
      const [own, elsewhere] = [false, true].map((isElsewhere) =>
        wanted.filter(({ kapsule }) => isInSource(kapsule) === isElsewhere).flatMap((some) => some.ids),
      ) as [string[], string[]];
      const kapsuleOf = new Map(wanted.flatMap(({ kapsule, ids: some }) => some.map((id) => [id, kapsule])));
      return unitByUnit({ ids: [...elsewhere, ...own], inSources: elsewhere.length }, (some) =>
        removeAll(
          Map.groupBy(some, (id) => kapsuleOf.get(id) as KapsuleRecord),
          call,
        ),
      );
    },

    /** Deletes the granules that match the filter, if there are exactly `expected`, as many as the caller saw. */
    async matching(
      id: string,
      given: GivenFilter,
      expected: number,
      call: Call<'loggedInOrKey'>,
    ): Promise<number> {
      requireOfKey(call.caller, 'DELETE');
      const kapsule = await emptiable(store, id, call.caller);
      const filter = filterOf(given, kapsule, call.caller);
      const all = await idsMatching(deps, kapsule, { filter, expected, way: 'removed' }, call.caller);
      return unitByUnit(inOrder(kapsule, all), (ids) => removeAll(new Map([[kapsule, ids]]), call, changed));
    },

    /** Deletes the granules of these keys; a key that has none is passed over. */
    async byKeys(id: string, keys: readonly string[], call: Call<'loggedInOrKey'>): Promise<number> {
      requireOfKey(call.caller, 'DELETE');
      const kapsule = await emptiable(store, id, call.caller);
      const all = await idsOfKeys(deps, kapsule, keys);
      await requireOpenRows(deps, 'removed', new Map([[kapsule, all]]), call.caller);
      return unitByUnit(inOrder(kapsule, all), (ids) => removeAll(new Map([[kapsule, ids]]), call));
    },

    async restore(id: string, ids: readonly string[], call: Call<'admin'>): Promise<number> {
      const { kapsule } = await readable(store, id, call.caller);
      const kapsules = await kapsulesOf(store, ids);
      if (ids.some((granuleId) => kapsules.get(granuleId) !== id)) throw new AppError('NOT_FOUND');
      await requireOpenRows(deps, 'restored', new Map([[kapsule, ids]]), call.caller);
      return unitByUnit(inOrder(kapsule, ids), (some) => restoreIn(kapsule, some, call));
    },

    /** Restores the deleted granules that match the filter, if there are exactly `expected`. */
    async restoreMatching(
      id: string,
      given: GivenFilter,
      expected: number,
      call: Call<'admin'>,
    ): Promise<number> {
      const { kapsule } = await readable(store, id, call.caller);
      const filter = filterOf(given, kapsule, call.caller);
      const all = await idsMatching(deps, kapsule, { filter, expected, way: 'restored' }, call.caller);
      return unitByUnit(inOrder(kapsule, all), (ids) => restoreIn(kapsule, ids, call, changed));
    },
  };
}
