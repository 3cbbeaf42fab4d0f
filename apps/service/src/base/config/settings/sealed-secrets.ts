import { type SettingsUpdate, secretPaths } from '@kaptain/contract';
import { SettingsError } from '../../errors/config-error.ts';
import { seal, unseal } from '../../secrets/sealing.ts';
import { valueAt, withValueAt } from './value-at.ts';

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
  eachSecret(settings, (sealed, field) => {
    const value = unseal(key(), field, sealed);
    if (value === undefined)
      throw new SettingsError(
        'The passwords in the settings were sealed with another key: restore keys/settings.key in the data folder from a backup.',
      );
    return value;
  });
