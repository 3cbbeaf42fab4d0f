import { text } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** An audit entry that has no number in the chain yet; its id is the entry's. Stored with the entry, removed when it is sealed. */
export interface ToSealRecord extends Stored {
  /** Holds the entry to what it was when it was written. */
  mac: string;
  /** Names the secret of the mac: only an instance with the same secret seals it. */
  key: string;
}

export const toSeal = noun<ToSealRecord>({
  name: 'toSeal',
  fields: {
    mac: text,
    key: text,
  },
  unique: [],
  indexes: [],
});
