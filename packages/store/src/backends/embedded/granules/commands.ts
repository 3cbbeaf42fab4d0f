import type { Connection } from '../connection.ts';
import { markReloaded } from './mark-reloaded.ts';
import { purgeKapsule } from './purge.ts';
import { removeMany, restoreMany } from './remove.ts';
import { upsertRows } from './upsert.ts';

/** What the writer's thread can do with granules, each inside a transaction. */
const commands = { upsertRows, removeMany, restoreMany, markReloaded, purgeKapsule } as const;

export type GranuleMethod = keyof typeof commands;

export function obeyOnGranules(connection: Connection, method: GranuleMethod, args: unknown[]): unknown {
  const command = commands[method] as (connection: Connection, ...args: unknown[]) => unknown;
  return command(connection, ...args);
}
