import { createHash } from 'node:crypto';
import type { AuditAction, SettingsUpdate } from '@kaptain/contract';
import { ConfigError } from '../../errors/config-error.ts';
import { normalised } from './normalised.ts';
import { sealSecrets, unsealSecrets } from './sealed-secrets.ts';
import { fromStored, SETTINGS_VERSION } from './stored-settings.ts';
import { isBlock } from './value-at.ts';

const FORMAT = 'kaptain-settings';

export const serverFiles = ['server.pfx', 'server.pem', 'server_key.pem'] as const;
export type ServerFile = (typeof serverFiles)[number];
/** The stored file for each of the service's certificate files. */
export type ServerFiles = Partial<Record<ServerFile, string>>;

/** The author of a save; stored with the settings, so that a missing audit entry can be written after a crash. */
interface SavedBy {
  action: AuditAction;
  userId: string | null;
  username: string | null;
  ip: string;
  requestId: string;
}

/** The content of one save. */
export interface SavedState {
  settings: SettingsUpdate;
  files: ServerFiles;
}

export interface SavedGeneration extends SavedState {
  generation: number;
  at: string;
  by: SavedBy;
  /** Names of fields, never values. */
  changed: readonly string[];
}

/** The checksum does not match the content. */
export class DamagedError extends Error {}

const checksum = (content: object): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex');

export function encodeGeneration(saved: SavedGeneration, key: () => Buffer): Buffer {
  const content = {
    format: FORMAT,
    version: SETTINGS_VERSION,
    ...saved,
    settings: sealSecrets(saved.settings, key),
  };
  return Buffer.from(`${JSON.stringify({ ...content, checksum: checksum(content) }, null, 2)}\n`);
}

function parsed(bytes: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (isBlock(value)) return value;
  } catch {
    // Reported below.
  }
  throw new DamagedError();
}

/** `warn` is told of values that the rules of this version refuse. */
export function decodeGeneration(
  bytes: Buffer,
  file: string,
  key: () => Buffer,
  warn: (sentence: string) => void = () => undefined,
): SavedGeneration {
  const { checksum: sum, ...content } = parsed(bytes);
  if (content['format'] === FORMAT && Number(content['version']) > SETTINGS_VERSION)
    throw new ConfigError(
      `The settings in ${file} were written by a newer version of Kaptain: start that version, or move this file away.`,
    );
  if (content['format'] !== FORMAT || sum !== checksum(content)) throw new DamagedError();
  // The checksum proves that this code has written the content, so its shape is known.
  const saved = content as unknown as SavedGeneration & { settings: Record<string, unknown> };
  const stored = fromStored(unsealSecrets(saved.settings, key), Number(content['version']));
  if (!stored) throw new DamagedError();
  for (const field of stored.refused)
    warn(`The setting ${field} in ${file} is not valid in this version: correct it on the settings page.`);
  const { generation, at, by, changed, files } = saved;
  return { generation, at, by, changed, files, settings: normalised(stored.settings) };
}
