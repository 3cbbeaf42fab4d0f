import { noun, type Stored } from './noun.ts';

/** One document: where the chain of audit entries ends, so that removing the newest entries is detected. */
export interface TrailRecord extends Stored {
  singleton: 'trail';
  /** The number of the newest entry … */
  number: number;
  /** … and its seal. */
  lastSeal: string;
  /** No id of an entry is greater; the ids of later entries are, also after a clock was ahead. */
  lastId?: string;
  /** The seal of number and last seal. */
  seal: string;
}

export const trail = noun<TrailRecord>({ name: 'trail', unique: [], indexes: ['singleton'] });
