import { isDeepStrictEqual } from 'node:util';
import { dataSourceFields, messages, SECRET_MASK, type SettingsUpdate, secretPaths } from '@kaptain/contract';
import type { SavedState } from '../../config/settings/generation-file.ts';
import { Refusal } from '../../config/settings/refusal.ts';
import { isBlock, valueAt, withValueAt } from '../../config/settings/value-at.ts';

/** Who is asked, as whom, and how safely: with another answer to one of these a password would go elsewhere. */
const identity =
  /(SERVER|PORT|USER|USERNAME|DATABASE|ACCOUNT|USESSL|ENCRYPT|encrypt|trustServerCertificate)$/;

const db = ['', '_HOST', '_PORT', '_USER', '_NAME', '_USESSL'].map((ending) => ['db', `KAPTAIN_DB${ending}`]);

/** What a secret belongs to: the places that must be unchanged for it to be kept. */
function targetOf([outer = '']: readonly string[]): readonly (readonly string[])[] {
  if (outer === 'db') return db;
  if (outer === 'hosts') return [['hosts', 'SAAS', 'hostname']];
  const fields = Object.entries(dataSourceFields).find(([type]) => type === outer)?.[1] ?? [];
  return fields.filter(({ key }) => identity.test(key)).map(({ key }) => [outer, ...key.split('.')]);
}

/** Whether the secret of this place would still go to whom it was entered for. */
export function isSameTarget(path: readonly string[], before: SavedState, after: SavedState): boolean {
  if (path[0] === 'settings') return before.files['server.pfx'] === after.files['server.pfx'];
  return targetOf(path).every((place) =>
    isDeepStrictEqual(valueAt(before.settings, place), valueAt(after.settings, place)),
  );
}

/**
 * The mask or nothing keeps a secret, an empty text clears it, anything else sets it. Keeping is refused when the
 * password would go somewhere else than before.
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
