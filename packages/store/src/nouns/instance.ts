import { oneOf, optional, text } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** One document for all instances on a database, inserted with the first admin: the lasting sign that it is initialized. */
export interface InstanceRecord extends Stored {
  singleton: 'instance';
  initializedAt: string;
  /** Identifies the secret (KAPTAIN_PEPPER), so that an instance with another one is detected. */
  pepperMark?: string;
  /** Another one after each restore of a backup: watermarks of before are refused. */
  epoch?: string;
}

export const instance = noun<InstanceRecord>({
  name: 'instance',
  fields: {
    singleton: oneOf('instance'),
    initializedAt: text,
    pepperMark: optional(text),
    epoch: optional(text),
  },
  unique: ['singleton'],
  indexes: [],
});
