import { StaleVersionError } from '../../errors.ts';
import type { StoredGranule } from '../../granules.ts';
import type { Dependency } from '../../saving.ts';
import type { GranuleRow } from '../shared/granule-row.ts';
import type { Connection } from './connection.ts';
import type { DocumentTable } from './documents.ts';
import { upsertRows } from './granules/upsert.ts';

/** A save on its way to the writer's thread; its documents are JSON text. */
export interface SaveRequest {
  kapsuleId: string;
  rows: GranuleRow[];
  dependsOn: readonly Dependency[];
  entry: string;
  toSeal: string | undefined;
}

type Tables = Record<string, DocumentTable>;

/** All of it inside a transaction: what the save depends on, the granules, the audit entry. */
export function save(connection: Connection, tables: Tables, given: SaveRequest): StoredGranule[] {
  for (const { noun, id, version } of given.dependsOn) {
    const stored = tables[noun]?.versionOf(id);
    if (stored === undefined || (version !== undefined && version !== stored))
      throw new StaleVersionError(noun, id);
  }
  const stored = upsertRows(connection, given.kapsuleId, given.rows);
  tables['audit']?.insert(given.entry);
  if (given.toSeal !== undefined) tables['toSeal']?.insert(given.toSeal);
  return stored;
}
