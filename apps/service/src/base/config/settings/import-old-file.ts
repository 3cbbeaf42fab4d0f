import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { SettingsUpdate } from '@kaptain/contract';
import { ConfigError } from '../../errors/config-error.ts';
import { changedFieldNames } from './differences.ts';
import type { Generations } from './generations.ts';
import { normalised } from './normalised.ts';

function read(file: string): SettingsUpdate | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ConfigError(`The settings file ${file} can't be opened: check the rights on it.`);
  }
  try {
    return normalised(SettingsUpdate.parse(JSON.parse(text)));
  } catch {
    throw new ConfigError(
      `The settings file ${file} can't be read: correct it, or move it away to start with defaults.`,
    );
  }
}

/**
 * Imports a settings.json of an earlier version, or one that the host's admin has written, and removes its plain
 * passwords from the disk.
 */
export function importOldFile(dataDir: string, generations: Generations): void {
  const file = join(dataDir, 'settings.json');
  const settings = read(file);
  if (!settings) return;
  const before = generations.newest();
  // They are equal when the process died after the import and before the removal.
  if (!isDeepStrictEqual(before.settings, settings))
    generations.add({
      at: new Date().toISOString(),
      by: { action: 'settings.import', userId: null, username: null, ip: '', requestId: '' },
      changed: changedFieldNames(before, { settings, files: before.files }),
      files: before.files,
      settings,
    });
  rmSync(file);
}
