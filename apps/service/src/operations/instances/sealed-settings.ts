import { createHmac } from 'node:crypto';
import type { SettingsGenerationRecord } from '@kaptain/store';
import { ownCommand } from '../../base/config/own-command.ts';
import {
  DamagedError,
  decodeGeneration,
  encodeGeneration,
  type SavedGeneration,
} from '../../base/config/settings/generation-file.ts';
import { withUnknownOf } from '../../base/config/settings/unknown-fields.ts';
import { ConfigError } from '../../base/errors/config-error.ts';
import { seal, unseal } from '../../base/secrets/sealing.ts';

const OTHER_KEY =
  'The settings in the database were sealed with another KAPTAIN_PEPPER (or keys folder): give this instance the pepper of the ' +
  `others. If it is lost, remove them with "${ownCommand} settings forget"; the next start stores those of its data folder.`;

type Key = () => Buffer;

/** The key of the settings in the database, derived from the pepper, so that all instances have it. */
export function settingsKeyOf(pepper: Key): Key {
  let key: Buffer | undefined;
  return () => (key ??= createHmac('sha256', pepper()).update('\0settings').digest());
}

function opened(key: Key, name: string, sealed: string): string {
  const text = unseal(key(), name, sealed);
  if (text === undefined) throw new ConfigError(OTHER_KEY);
  return text;
}

type Sealed = Pick<SettingsGenerationRecord, 'generation' | 'sealed'>;

/** The settings as stored, secrets encrypted, with the fields of later versions. */
function storedSettings({ generation, sealed }: Sealed, key: Key): object {
  const { settings } = JSON.parse(opened(key, `settings:${generation}`, sealed)) as { settings: object };
  return settings;
}

/**
 * A generation without the `db` block, which says how one instance reaches the database. Fields of a later version that
 * are in the generation before it stay as they are.
 */
export function sealGeneration(saved: SavedGeneration, before: Sealed | undefined, key: Key): string {
  const { db: _, ...known } = saved.settings;
  const settings = before
    ? withUnknownOf(known, storedSettings(before, key), openGeneration(before, key).settings)
    : known;
  const bytes = encodeGeneration({ ...saved, settings }, key);
  return seal(key(), `settings:${saved.generation}`, bytes.toString('utf8'));
}

export function openGeneration({ generation, sealed }: Sealed, key: Key): SavedGeneration {
  const text = opened(key, `settings:${generation}`, sealed);
  try {
    return decodeGeneration(Buffer.from(text), 'the database', key);
  } catch (error) {
    if (error instanceof DamagedError)
      throw new ConfigError(`Version ${generation} of the settings in the database is damaged.`);
    throw error;
  }
}

export const sealFile = (name: string, bytes: Buffer, key: Key): string =>
  seal(key(), `settings file:${name}`, bytes.toString('base64'));

export const openFile = (name: string, sealed: string, key: Key): Buffer =>
  Buffer.from(opened(key, `settings file:${name}`, sealed), 'base64');
