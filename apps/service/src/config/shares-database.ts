import { isDeepStrictEqual } from 'node:util';
import { ConfigError } from './config-error.ts';
import { databaseOf } from './open-store.ts';
import type { KeptSettings } from './settings.ts';

/** Whether the settings that a rollback leads to name the same database: it can not help then when that is away. */
export function sharesDatabase({ generations, began }: KeptSettings, env: NodeJS.ProcessEnv): boolean {
  try {
    const before = generations.newest(began.generation);
    return isDeepStrictEqual(databaseOf(before.settings, env), databaseOf(began.settings, env));
  } catch (error) {
    // The start itself reports what is wrong with the environment; earlier settings that can't be read name no database.
    if (error instanceof ConfigError) return false;
    throw error;
  }
}
