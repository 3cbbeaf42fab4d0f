import { isDeepStrictEqual } from 'node:util';
import { dataSourceFields, messages, SECRET_MASK, type SettingsUpdate, secretPaths } from '@kaptain/contract';
import type { SavedState } from '../../base/config/settings/generation-file.ts';
import { Refusal } from '../../base/config/settings/refusal.ts';
import { isBlock, valueAt, withValueAt } from '../../base/config/settings/value-at.ts';

/** Fields that decide to which server, as which user and how securely a password is sent. */
const identity =
  /(SERVER|PORT|USER|USERNAME|DATABASE|ACCOUNT|USESSL|ENCRYPT|encrypt|trustServerCertificate)$/;

const db = ['', '_HOST', '_PORT', '_USER', '_NAME', '_USESSL'].map((ending) => ['db', `KAPTAIN_DB${ending}`]);

/** The fields that must be unchanged for a secret to be kept. */
function targetOf([outer = '']: readonly string[]): readonly (readonly string[])[] {
  if (outer === 'db') return db;
  if (outer === 'provider')
    return [
      ['provider', 'issuer'],
      ['provider', 'clientId'],
    ];
  if (outer === 'hosts') return [['hosts', 'SAAS', 'hostname']];
  const fields = Object.entries(dataSourceFields).find(([type]) => type === outer)?.[1] ?? [];
  return fields.filter(({ key }) => identity.test(key)).map(({ key }) => [outer, ...key.split('.')]);
}

/** Whether the secret at this path would be sent to the same target as before. */
export function isSameTarget(path: readonly string[], before: SavedState, after: SavedState): boolean {
  if (path[0] === 'settings') return before.files['server.pfx'] === after.files['server.pfx'];
  return targetOf(path).every((field) =>
    isDeepStrictEqual(valueAt(before.settings, field), valueAt(after.settings, field)),
  );
}

/**
 * The mask or a missing value keeps a secret, an empty text clears it, any other text sets it. Keeping is refused
 * when the target has changed.
 */
export function keepSecrets(given: SavedState, before: SavedState): SavedState {
  const isNeedless = ([outer]: readonly string[]) => outer === 'settings' && !given.settings.settings.https;
  const settings = secretPaths.reduce<Record<string, unknown>>((object, path) => {
    const sent = valueAt(object, path);
    const isKept = sent === undefined || sent === SECRET_MASK;
    if (!isKept || isNeedless(path) || !isBlock(valueAt(object, path.slice(0, -1)))) return object;
    const stored = valueAt(before.settings, path) ?? '';
    const isNothingToKeep = stored === '' && sent === SECRET_MASK;
    if (isNothingToKeep || (stored !== '' && !isSameTarget(path, before, given)))
      throw new Refusal(path.join('.'), messages.secretAgain);
    return withValueAt(object, path, stored);
  }, given.settings);
  return { ...given, settings: settings as SettingsUpdate };
}
