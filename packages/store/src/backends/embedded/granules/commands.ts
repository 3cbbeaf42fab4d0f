import { FIELD_INDEX_UNUSED_MS } from '../../shared/tuning.ts';
import type { Connection } from '../connection.ts';
import { UNINDEXED_DOCUMENTS } from '../late-indexes.ts';
import { numberDeletions, UNNUMBERED } from './deletions.ts';
import { dropUnused, noteFields, UNUSED } from './field-indexes.ts';
import { beginImport, dropImport, publishImport, renewImport, stageRows } from './import.ts';
import { BEHIND, indexFields } from './index-fields.ts';
import { indexRows, UNINDEXED } from './index-rows.ts';
import { markReloaded } from './mark-reloaded.ts';
import { purgeKapsule, purgeRows } from './purge.ts';
import { removeMany, restoreMany } from './remove.ts';
import { replaceMore } from './replace-more.ts';
import { sweepImports } from './sweep-imports.ts';
import { upsertBatch, upsertRows } from './upsert.ts';

/** The commands of the writer's thread for granules, each inside a transaction. */
const commands = {
  upsertRows,
  upsertBatch,
  removeMany,
  restoreMany,
  markReloaded,
  purgeKapsule,
  beginImport,
  stageRows,
  renewImport,
  publishImport,
  replaceMore,
  dropImport,
  sweepImports,
  noteFields,
} as const;

export type GranuleMethod = keyof typeof commands;

export function executeOnGranules(connection: Connection, method: GranuleMethod, args: unknown[]): unknown {
  const command = commands[method] as (connection: Connection, ...args: unknown[]) => unknown;
  return command(connection, ...args);
}

/** Whether the steps below would find anything; asked on the main thread, so that their thread starts only for that. */
export const needsUpkeep = (connection: Connection): boolean =>
  connection.get(
    `SELECT 1 WHERE EXISTS (SELECT 1 FROM granule_purges) OR EXISTS (SELECT 1 FROM granule_imports)
    OR EXISTS (${UNINDEXED}) OR EXISTS (${UNINDEXED_DOCUMENTS}) OR EXISTS (${UNNUMBERED}) OR EXISTS (${BEHIND}) OR EXISTS (${UNUSED})`,
    Date.now() - FIELD_INDEX_UNUSED_MS,
  ) !== undefined;

/** The maintenance of the idle writer, in short steps; each returns whether it found work. */
export const idleSteps: readonly ((connection: Connection) => boolean)[] = [
  purgeRows,
  sweepImports,
  numberDeletions,
  dropUnused,
  indexFields,
  indexRows,
];
