import type { Authority, Kapsule } from '@kaptain/contract';
import type { GranuleCounts, KapsuleRecord } from '@kaptain/store';

/** A kapsule as a caller with this authority sees it. */
export const showKapsule = (
  record: KapsuleRecord,
  authority: Authority[],
  counts: GranuleCounts | undefined,
): Kapsule => ({
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
  ...(record.appId && { appId: record.appId }),
});
