import { authorityOn, type Kapsule } from '@kaptain/contract';
import type { GranuleCounts, GroupRecord, KapsuleRecord, Store } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import type { Caller } from '../../http/call.ts';

export interface KapsulesService {
  list(caller: Caller): Promise<Kapsule[]>;
  get(id: string, caller: Caller): Promise<Kapsule>;
}

/** A kapsule as this caller sees it, or nothing when they may not read it. */
function seenBy(
  caller: Caller,
  groups: readonly GroupRecord[],
  record: KapsuleRecord,
  counts: GranuleCounts | undefined,
): Kapsule | undefined {
  const authority = authorityOn(record, caller, groups);
  if (!authority.includes('READ')) return undefined;
  return {
    _id: record.id,
    name: record.name,
    database: record.database,
    tableName: record.tableName,
    table: record.table,
    keyField: record.keyField,
    owner: record.owner,
    authority,
    fields: record.fields,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    granules: { total: counts?.total ?? 0, notReloaded: counts?.notReloaded ?? 0 },
    version: record.version,
  };
}

export function kapsulesService(store: Store): KapsulesService {
  const groupsOf = (caller: Caller) =>
    caller.role === 'ADMIN' ? Promise.resolve([]) : store.groups.findBy('userIds', caller.userId);
  return {
    async list(caller) {
      const [records, groups, counts] = await Promise.all([
        store.kapsules.all(),
        groupsOf(caller),
        store.granules.countsOfAll(),
      ]);
      return records
        .map((record) => seenBy(caller, groups, record, counts.get(record.id)))
        .filter((kapsule) => kapsule !== undefined);
    },
    async get(id, caller) {
      const [record, groups] = await Promise.all([store.kapsules.get(id), groupsOf(caller)]);
      const counts = record && (await store.granules.counts(record.id));
      const kapsule = record && seenBy(caller, groups, record, counts);
      // Not 403: whoever may not read it shall not learn that it exists.
      if (!kapsule) throw new AppError('NOT_FOUND', 'There is no such kapsule.');
      return kapsule;
    },
  };
}
