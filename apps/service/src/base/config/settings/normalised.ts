import { type SettingsUpdate, secretPaths } from '@kaptain/contract';
import { withoutUntouched } from './untouched-blocks.ts';
import { isBlock, valueAt, withValueAt } from './value-at.ts';

/** Spec 4: HTTPS off turns PFX off and clears its password; HSTS only goes with HTTPS. */
const withoutHttps = ({ settings, ...rest }: SettingsUpdate): SettingsUpdate => ({
  ...rest,
  settings: settings.https
    ? settings
    : { ...settings, hsts: false, usePfxCertificate: false, pfxPassword: '' },
});

/** Normalises settings, so that settings of the same meaning are equal objects. */
export function normalised(given: SettingsUpdate): SettingsUpdate {
  const { port: _, ...settings } = given.settings;
  const base: Record<string, unknown> = withoutHttps(withoutUntouched({ ...given, settings }));
  const whole = secretPaths.reduce<Record<string, unknown>>(
    (object, path) =>
      isBlock(valueAt(object, path.slice(0, -1))) && valueAt(object, path) === undefined
        ? withValueAt(object, path, '')
        : object,
    base,
  );
  // Through JSON, because a missing and an undefined value are the same in the file.
  return JSON.parse(JSON.stringify(whole)) as SettingsUpdate;
}
