import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { type SettingsUpdate, secretPaths } from '@kaptain/contract';
import { ConfigError } from '../config-error.ts';
import { valueAt, withValueAt } from './value-at.ts';

const VERSION = 'sealed:1';

/** Identifies a key without revealing it. */
const keyId = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 8);

function seal(key: Buffer, field: string, value: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  // Authenticated with its path: an encrypted password that is moved to another field can't be decrypted there.
  cipher.setAAD(Buffer.from(field));
  const body = Buffer.concat([iv, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return [VERSION, keyId(key), body.toString('base64url')].join(':');
}

const unreadable = () =>
  new ConfigError(
    'The passwords in the settings were sealed with another key: restore keys/settings.key in the data folder from a backup.',
  );

function unseal(key: Buffer, field: string, sealed: string): string {
  const [word, version, id, body = ''] = sealed.split(':');
  if (`${word}:${version}` !== VERSION || id !== keyId(key)) throw unreadable();
  const bytes = Buffer.from(body, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
  decipher.setAAD(Buffer.from(field));
  try {
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8');
  } catch {
    throw unreadable();
  }
}

type Block = Record<string, unknown>;

function eachSecret(settings: Block, change: (value: string, field: string) => string): Block {
  return secretPaths.reduce((changed, path) => {
    const value = valueAt(changed, path);
    return typeof value === 'string' && value !== ''
      ? withValueAt(changed, path, change(value, path.join('.')))
      : changed;
  }, settings);
}

/** The settings with encrypted secrets, for the disk. */
export const sealSecrets = (settings: SettingsUpdate, key: () => Buffer): Block =>
  eachSecret(settings, (value, field) => seal(key(), field, value));

export const unsealSecrets = (settings: Block, key: () => Buffer): Block =>
  eachSecret(settings, (value, field) => unseal(key(), field, value));
