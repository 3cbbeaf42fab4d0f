import { list, pair, text, whole } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** Some audit entries in the order of the chain, held together and to the entries before them. */
export interface SealRecord extends Stored {
  /** The number of the first entry; the others follow without a gap. */
  first: number;
  entries: [id: string, mac: string][];
  seal: string;
}

export const seals = noun<SealRecord>({
  name: 'seals',
  fields: {
    first: whole,
    entries: list(pair(text, text)),
    seal: text,
  },
  unique: [],
  indexes: [],
});
