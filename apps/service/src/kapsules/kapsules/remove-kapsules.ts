import {
  type Authority,
  authoritiesOf,
  DEFAULT_DATABASE,
  includesAuthority,
  mayOpenLock,
} from '@kaptain/contract';
import type { KapsuleRecord, Unit } from '@kaptain/store';
import type { Call, Caller } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { toAppError } from '../../http/server/errors.ts';
import { presentCaller } from '../../identity/sessions/present-caller.ts';
import { dropTableOf, isForeignTable, isUnanswered, otherKapsulesOn } from '../data-sources/source-tables.ts';
import { isConnected } from '../granules/granules-of.ts';
import { forgetAuthorsOfTable } from '../threads/comment-authors.ts';
import type { KapsulesDeps } from './create-kapsule.ts';
import { deleteForGood, moveToDeleted } from './delete-records.ts';
import { groupsOf, noSuchKapsule } from './kapsule-access.ts';

interface Wanted {
  id: string;
  kapsule: KapsuleRecord | undefined;
  authority: Authority[];
}

async function find(
  unit: Pick<Unit, 'kapsules' | 'groups'>,
  ids: readonly string[],
  caller: Caller,
): Promise<Wanted[]> {
  const authorityOn = authoritiesOf(caller, await groupsOf(unit, caller));
  const wanted: Wanted[] = [];
  for (const id of new Set(ids)) {
    const kapsule = await unit.kapsules.get(id);
    wanted.push({ id, kapsule, authority: kapsule ? authorityOn(kapsule) : [] });
  }
  return wanted;
}

/**
 * Spec 6: a failure list instead of a partial delete. Kapsules that the caller can't see are listed by id. Deleting one would also take away
 * its locks.
 */
function requireDeletable(wanted: readonly Wanted[], caller: Caller): KapsuleRecord[] {
  if (caller.role === 'ADMIN' && wanted.some(({ kapsule }) => !kapsule)) throw noSuchKapsule();
  const mayOpen = (kapsule: KapsuleRecord) =>
    (kapsule.locks ?? []).every((lock) => mayOpenLock(caller, lock, kapsule));
  const refused = wanted.filter(
    ({ kapsule, authority }) =>
      !includesAuthority(authority, 'DELETE') || (kapsule !== undefined && !mayOpen(kapsule)),
  );
  if (refused.length > 0) {
    const names = refused.map(({ id, kapsule, authority }) =>
      kapsule && includesAuthority(authority, 'READ') ? kapsule.name : id,
    );
    throw new AppError('DELETE_REFUSED', JSON.stringify(names));
  }
  return wanted.flatMap(({ kapsule }) => kapsule ?? []);
}

const isInSource = ({ database }: KapsuleRecord): boolean => database !== DEFAULT_DATABASE;

/** The state of the table of a kapsule that could not be deleted. */
type TableState = 'exists' | 'unknown' | 'dropped';

const nextStep = ({ name, tableName }: KapsuleRecord): Record<TableState, string> => ({
  exists: `${name} was not deleted. It can be deleted without its table ${tableName}.`,
  unknown: `${name} is kept as "deleting" until its table ${tableName} is dropped. Delete it again to retry, or without its table.`,
  dropped: `The table ${tableName} was dropped, and ${name} is kept as "deleting". Please delete it again.`,
});

/** Says what failed, what became of the table, and which kapsules were deleted before. */
function refusal(
  error: unknown,
  kapsule: KapsuleRecord,
  table: TableState,
  deleted: readonly string[],
): unknown {
  const { code, message } = toAppError(error);
  if (code === 'INTERNAL') return error;
  const before = deleted.length === 0 ? '' : ` Deleted were: ${deleted.join(', ')}.`;
  const retry = code === 'UNAVAILABLE' ? { retryAfter: 10 } : {};
  return new AppError(code, `${message} ${nextStep(kapsule)[table]}${before}`, retry);
}

export function removeKapsules({ store, dataSources, clock }: KapsulesDeps) {
  /** A table is not dropped while another kapsule is bound to it. */
  async function requireSoleKapsule(
    unit: Unit,
    kapsule: KapsuleRecord,
    ids: readonly string[],
  ): Promise<void> {
    const others = await otherKapsulesOn(unit, kapsule, ids);
    if (others.length === 0) return;
    const isDeleted = others.every((other) => 'purgeAt' in other);
    const users = isDeleted ? 'what was deleted and can be restored' : 'others too';
    throw new AppError(
      'CONFLICT',
      `The table ${kapsule.tableName} is used by ${users}. Please delete ${kapsule.name} without its table.`,
    );
  }

  async function requireDroppable(unit: Unit, kapsule: KapsuleRecord, ids: readonly string[]): Promise<void> {
    if (!isConnected(dataSources, kapsule.database))
      throw new AppError(
        'UNAVAILABLE',
        `${kapsule.database} is not set up in the settings. Please delete ${kapsule.name} without its table.`,
        { retryAfter: 60 },
      );
    await requireSoleKapsule(unit, kapsule, ids);
  }

  /** Checked before the first deletion, so that a refusal deletes nothing. */
  async function requireTablesOfService(ids: readonly string[], call: Call<'loggedIn'>): Promise<void> {
    const caller = await presentCaller(store, call.caller);
    if (caller.role === 'ADMIN') return;
    for (const kapsule of requireDeletable(await find(store, ids, caller), caller))
      if (
        isInSource(kapsule) &&
        isConnected(dataSources, kapsule.database) &&
        (await isForeignTable(dataSources, kapsule))
      )
        throw new AppError(
          'FORBIDDEN',
          `The table ${kapsule.tableName} was not made by this service: only an ADMIN may delete it. Please delete ${kapsule.name} without its table.`,
        );
  }

  /** Resets the state "deleting" of these kapsules. */
  async function release(kapsules: readonly KapsuleRecord[]): Promise<void> {
    await store.transaction(async (unit) => {
      for (const { id } of kapsules)
        if ((await unit.kapsules.get(id))?.state === 'deleting')
          await unit.kapsules.patch(id, { state: null });
    });
  }

  /** Drops one table after another outside of the unit, so that a slow data source makes no other unit wait. */
  async function removeWithTables(
    kapsules: readonly KapsuleRecord[],
    call: Call<'loggedIn'>,
    isConfirmed: boolean,
    deleted: string[],
  ): Promise<void> {
    for (const [index, kapsule] of kapsules.entries()) {
      let isDropped = false;
      try {
        await dropTableOf(dataSources, kapsule, isConfirmed);
        isDropped = true;
        await forgetAuthorsOfTable(store, kapsule);
        await store.transaction((unit) => deleteForGood(unit, kapsule, call, clock()));
        deleted.push(kapsule.name);
      } catch (error) {
        const table = isDropped ? 'dropped' : isUnanswered(error) ? 'unknown' : 'exists';
        // Kapsules that the store fails to release stay "deleting" and can be deleted again.
        await release(kapsules.slice(table === 'exists' ? index : index + 1)).catch(() => undefined);
        throw refusal(error, kapsule, table, deleted);
      }
    }
  }

  return async (
    ids: readonly string[],
    { deleteTable, dropNow }: { deleteTable: boolean; dropNow: boolean },
    call: Call<'loggedIn'>,
  ): Promise<number> => {
    const hasTable = (kapsule: KapsuleRecord) => deleteTable && isInSource(kapsule);
    const isDroppedNow = (kapsule: KapsuleRecord) => hasTable(kapsule) && dropNow;
    if (deleteTable) await requireTablesOfService(ids, call);
    const { kapsules, role } = await store.transaction(async (unit) => {
      const caller = await presentCaller(unit, call.caller);
      const all = requireDeletable(await find(unit, ids, caller), caller);
      for (const kapsule of all.filter(hasTable)) await requireDroppable(unit, kapsule, ids);
      for (const kapsule of all.filter(isDroppedNow))
        await unit.kapsules.patch(kapsule.id, { state: 'deleting' });
      const tableDrop = caller.role === 'ADMIN' ? 'any' : 'own';
      for (const kapsule of all.filter((one) => !isDroppedNow(one)))
        await moveToDeleted(unit, kapsule, call, clock(), hasTable(kapsule) ? tableDrop : null);
      return { kapsules: all, role: caller.role };
    });
    const deleted = kapsules.filter((one) => !isDroppedNow(one)).map(({ name }) => name);
    await removeWithTables(kapsules.filter(isDroppedNow), call, role === 'ADMIN', deleted);
    return kapsules.length;
  };
}
