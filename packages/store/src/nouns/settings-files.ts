import { nullable, text } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** A certificate or key of the settings of all instances on a database. */
export interface SettingsFileRecord extends Stored {
  /** The hash of the content and the kind; an upload that waits for its save has the kind alone. */
  name: string;
  /** The content in base64, encrypted. */
  sealed: string;
  at: string;
  /** The name that a waiting upload gets with the save. */
  waitingFor: string | null;
}

export const settingsFiles = noun<SettingsFileRecord>({
  name: 'settingsFiles',
  fields: { name: text, sealed: text, at: text, waitingFor: nullable(text) },
  unique: ['name'],
  indexes: [],
});
