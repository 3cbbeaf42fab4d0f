import { isDeepStrictEqual } from 'node:util';
import { nothingSaved } from '../config/settings/generations.ts';
import type { KeptSettings } from '../config/settings.ts';
import { databaseOf } from './open-store.ts';

/**
 * Whether the settings with which the service has run last name the same database: a rollback to them can not help when
 * that is away. Settings that were saved in between, and never used, say nothing about it.
 */
export function sharesDatabase({ generations, began }: KeptSettings, env: NodeJS.ProcessEnv): boolean {
  try {
    const applied = generations
      .numbers()
      .find((number) => number < began.generation && generations.mark(number)?.status === 'applied');
    const before = applied === undefined ? nothingSaved() : generations.read(applied, () => undefined);
    if (before === undefined) return false;
    return isDeepStrictEqual(databaseOf(before.settings, env), databaseOf(began.settings, env));
  } catch {
    // The start itself reports what is wrong with the environment; earlier settings that can't be read name no database.
    return false;
  }
}
