import { oneOf, optional, text, whole } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** One document: where the chain of audit entries ends, so that removing the newest entries is detected. */
export interface TrailRecord extends Stored {
  singleton: 'trail';
  /** How many entries the chain has … */
  number: number;
  /** … and the seal of the last block of them, of nouns/seals.ts. */
  lastSeal: string;
  /** Left by earlier versions. */
  lastId?: string;
  /** The HMAC of number and last seal. */
  seal: string;
}

export const trail = noun<TrailRecord>({
  name: 'trail',
  fields: {
    singleton: oneOf('trail'),
    number: whole,
    lastSeal: text,
    lastId: optional(text),
    seal: text,
  },
  unique: [],
  indexes: ['singleton'],
});
