import { StaleVersionError } from '../../errors.ts';
import type { StoredGranule } from '../../granules.ts';
import type { NounName } from '../../nouns/all.ts';
import type { AuditRecord } from '../../nouns/audit.ts';
import type { ToSealRecord } from '../../nouns/to-seal.ts';
import type { Dependency } from '../../saving.ts';
import type { GranuleRow } from '../shared/granule-row.ts';
import type { Connection } from './connection.ts';
import type { DocumentTable } from './documents.ts';
import { upsertRows } from './granules/upsert.ts';

/** A save on its way to the transaction; its documents are as they are stored. */
export interface SaveRequest {
  kapsuleId: string;
  rows: GranuleRow[];
  dependsOn: readonly Dependency[];
  entry: AuditRecord;
  toSeal: ToSealRecord | undefined;
}

type Tables = Record<string, DocumentTable>;

/** All of it inside a transaction: what the save depends on, the granules, the audit entry. */
export function save(
  connection: Connection,
  tables: Tables,
  given: SaveRequest,
  versionOf = (noun: NounName, id: string) => tables[noun]?.versionOf(id),
  mostStored?: number,
): StoredGranule[] {
  for (const { noun, id, version } of given.dependsOn) {
    const stored = versionOf(noun, id);
    if (stored === undefined || (version !== undefined && version !== stored))
      throw new StaleVersionError(noun, id);
  }
  const stored = upsertRows(connection, given.kapsuleId, given.rows, mostStored);
  tables['audit']?.insertFirst({ ...given.entry });
  if (given.toSeal !== undefined) tables['toSeal']?.insertFirst({ ...given.toSeal });
  return stored;
}
