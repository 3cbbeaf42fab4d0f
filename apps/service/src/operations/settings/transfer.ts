import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { type ConfigurationFile, type ImportPreview, SettingsUpdate, secretPaths } from '@kaptain/contract';
import { differences } from '../../base/config/settings/differences.ts';
import {
  type SavedGeneration,
  type SavedState,
  type ServerFiles,
  serverFiles,
} from '../../base/config/settings/generation-file.ts';
import { normalised } from '../../base/config/settings/normalised.ts';
import { isBlock, valueAt, withValueAt } from '../../base/config/settings/value-at.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { check } from '../../http/server/validate.ts';
import { isSameTarget } from './keep-secrets.ts';
import type { SettingsDeps } from './settings-deps.ts';

/** The part that is encrypted with the passphrase. */
interface Sealed {
  secrets: Record<string, string>;
  files: Record<string, string>;
  /** Only contents: the names are hashes of them. */
  platformFiles: string[];
}

const platformFields = [
  ['hosts', 'CERT', 'certFile'],
  ['hosts', 'CERT', 'keyFile'],
  ['hosts', 'CERT', 'caFile'],
  ['hosts', 'JWT', 'keyFile'],
];

const keyFrom = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  // About 0.1 s and 64 MiB per guess of a passphrase.
  promisify<string, Buffer, number, object, Buffer>(scrypt)(passphrase.normalize('NFKC'), salt, 32, {
    N: 2 ** 16,
    r: 8,
    maxmem: 2 ** 27,
  });

async function seal(content: Sealed, passphrase: string): Promise<NonNullable<ConfigurationFile['sealed']>> {
  const [salt, iv] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', await keyFrom(passphrase, salt), iv);
  const body = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final(), cipher.getAuthTag()]);
  return {
    salt: salt.toString('base64'),
    iv: iv.toString('base64'),
    data: body.toString('base64'),
  };
}

async function open(file: ConfigurationFile, passphrase: string | undefined): Promise<Sealed | undefined> {
  if (!file.sealed || passphrase === undefined) return undefined;
  const [salt, iv, body] = [file.sealed.salt, file.sealed.iv, file.sealed.data].map((text) =>
    Buffer.from(text, 'base64'),
  ) as [Buffer, Buffer, Buffer];
  try {
    const decipher = createDecipheriv('aes-256-gcm', await keyFrom(passphrase, salt), iv);
    decipher.setAuthTag(body.subarray(-16));
    const text = Buffer.concat([decipher.update(body.subarray(0, -16)), decipher.final()]);
    // Not trusted, although it was encrypted with the passphrase: it is validated like the input of a form.
    return JSON.parse(text.toString('utf8')) as Sealed;
  } catch {
    throw new AppError('BAD_INPUT', 'The passphrase does not fit this file.');
  }
}

type Block = Record<string, unknown>;
const fieldOf = (path: readonly string[]) => path.join('.');

/** Exports the configuration, and converts an exported one into settings of this server. */
export function transfer({ certificates }: SettingsDeps, clock: () => number) {
  async function pack(saved: SavedGeneration, passphrase?: string): Promise<ConfigurationFile> {
    const secrets = secretPaths.map((path) => [fieldOf(path), valueAt(saved.settings, path) ?? ''] as const);
    const files = serverFiles.flatMap((name) => {
      const bytes = certificates.read(saved.files[name] ?? '');
      return bytes ? [[name, bytes.toString('base64')]] : [];
    });
    const platformFiles = platformFields.flatMap((path) => {
      const name = valueAt(saved.settings, path);
      const bytes = typeof name === 'string' ? certificates.readForPlatform(name) : undefined;
      return bytes ? [bytes.toString('base64')] : [];
    });
    const bare = secretPaths.reduce<Block>(
      (object, path) => withValueAt(object, path, undefined),
      saved.settings,
    );
    const content: Sealed = {
      secrets: Object.fromEntries(secrets.filter(([, value]) => value !== '')) as Record<string, string>,
      files: Object.fromEntries(files) as Record<string, string>,
      platformFiles,
    };
    return {
      format: 'kaptain-configuration',
      version: 1,
      exportedAt: new Date(clock()).toISOString(),
      settings: JSON.parse(JSON.stringify(bare)) as Block,
      ...(passphrase !== undefined && { sealed: await seal(content, passphrase) }),
    };
  }

  const filesOf = (opened: Sealed | undefined, before: SavedState): ServerFiles =>
    opened
      ? Object.fromEntries(
          serverFiles.flatMap((name) => {
            const text: unknown = opened.files[name];
            if (typeof text !== 'string') return [];
            return [[name, certificates.keepServerFile(name, Buffer.from(text, 'base64'))]];
          }),
        )
      : before.files;

  /** Secrets come from the file; without a passphrase those of the same account on the same server are kept. */
  async function unpack(file: ConfigurationFile, passphrase: string | undefined, before: SavedGeneration) {
    const opened = await open(file, passphrase);
    for (const text of opened?.platformFiles ?? []) certificates.keepForPlatform(Buffer.from(text, 'base64'));
    const imported = normalised(check(SettingsUpdate, file.settings) as SettingsUpdate);
    const bare: SavedState = { settings: imported, files: filesOf(opened, before) };
    const missing: string[] = [];
    const settings = secretPaths.reduce<Block>((object, path) => {
      if (!isBlock(valueAt(object, path.slice(0, -1)))) return object;
      const field = fieldOf(path);
      const stored = valueAt(before.settings, path) ?? '';
      const secret = isSameTarget(path, before, bare) ? stored : '';
      if (!opened && secret === '' && field !== 'settings.pfxPassword') missing.push(field);
      return withValueAt(object, path, opened ? (opened.secrets[field] ?? '') : secret);
    }, imported);
    const checked = normalised(check(SettingsUpdate, settings) as SettingsUpdate);
    return { next: { ...bare, settings: checked }, missing, isOpened: opened !== undefined };
  }

  return {
    pack,
    unpack,
    async preview(
      file: ConfigurationFile,
      passphrase: string | undefined,
      before: SavedGeneration,
    ): Promise<ImportPreview> {
      const { next, missing, isOpened } = await unpack(file, passphrase, before);
      return { differences: differences(before, next), missingSecrets: missing, withSecrets: isOpened };
    },
  };
}
