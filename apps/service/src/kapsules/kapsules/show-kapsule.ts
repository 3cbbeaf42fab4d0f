import { type Authority, includesAuthority, type Kapsule } from '@kaptain/contract';
import type { KapsuleRecord } from '@kaptain/store';
import type { SourceState } from './kapsule-states.ts';

const DELETING = 'Its table could not be dropped yet. Delete it again to retry, or without its table.';

function stateOf({ state }: KapsuleRecord, problem: string | undefined): Partial<Kapsule> {
  if (state === 'deleting') return { state, stateMessage: problem ?? DELETING };
  return problem === undefined ? {} : { state: 'unavailable', stateMessage: problem };
}

/** A kapsule as answered to a caller with this authority. */
export const showKapsule = (
  record: KapsuleRecord,
  authority: Authority[],
  { counts, madeByUs, problem }: SourceState = {},
): Kapsule => ({
  _id: record.id,
  name: record.name,
  database: record.database,
  tableName: record.tableName,
  table: record.table,
  keyField: record.keyField,
  owner: record.owner,
  ownerId: record.ownerId,
  authority,
  fields: record.fields,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
  // Left out, instead of 0, when the counts are not known.
  ...(problem === undefined && {
    granules: { total: counts?.total ?? 0, notReloaded: counts?.notReloaded ?? 0 },
  }),
  ...(madeByUs !== undefined && { tableMadeByService: madeByUs }),
  version: record.version,
  ...(record.appId && { appId: record.appId }),
  writers: record.writers ?? 'DELETE',
  ...(includesAuthority(authority, 'DELETE') && { locks: record.locks ?? [] }),
  ...(record.approval && { approval: record.approval }),
  ...stateOf(record, problem),
});
