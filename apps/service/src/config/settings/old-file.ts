import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { SettingsUpdate } from '@kaptain/contract';
import { ConfigError } from '../config-error.ts';
import { changedPlaces } from './differences.ts';
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

/** Takes over a settings.json of an earlier version, or one the host's admin put there; its passwords leave the disk. */
export function takeOverOldFile(dataDir: string, generations: Generations): void {
  const file = join(dataDir, 'settings.json');
  const settings = read(file);
  if (!settings) return;
  const before = generations.newest();
  // Equal when the process died between the two steps.
  if (!isDeepStrictEqual(before.settings, settings))
    generations.add({
      at: new Date().toISOString(),
      by: { action: 'settings.import', userId: null, username: null, ip: '', requestId: '' },
      changed: changedPlaces(before, { settings, files: before.files }),
      files: before.files,
      settings,
    });
  rmSync(file);
}
