import { oneOf, optional, text } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** One document, inserted with the first admin: the one-way sign that this installation is initialized. */
export interface InstanceRecord extends Stored {
  singleton: 'instance';
  initializedAt: string;
  /** Identifies the secret for API keys, so that an instance with another secret is detected. */
  pepperMark?: string;
}

export const instance = noun<InstanceRecord>({
  name: 'instance',
  fields: {
    singleton: oneOf('instance'),
    initializedAt: text,
    pepperMark: optional(text),
  },
  unique: ['singleton'],
  indexes: [],
});
