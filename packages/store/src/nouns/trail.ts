import { noun, type Stored } from './noun.ts';

/** One document: where the chain of audit entries ends, so that removing the newest entries is detected. */
export interface TrailRecord extends Stored {
  singleton: 'trail';
  /** The number of the newest entry … */
  number: number;
  /** … and its seal. */
  lastSeal: string;
  /** No id of an entry is greater: those of later entries are, whatever the clocks say. */
  lastId?: string;
  /** Of both. */
  seal: string;
}

export const trail = noun<TrailRecord>({ name: 'trail', unique: [], indexes: ['singleton'] });
