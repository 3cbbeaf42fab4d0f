import { type NounName, nounNames } from '../../nouns/all.ts';
import type { Stored } from '../../nouns/noun.ts';
import type { ReadDocument } from '../../nouns/read-document.ts';
import { readers } from '../../nouns/readers.ts';
import type { Documents, Nouns } from '../../store.ts';

/** The documents of every noun, each made with the reader of its noun. */
export function documentsByNoun(
  make: <T extends Stored>(noun: NounName, reader: ReadDocument<T>) => Documents<T>,
): Nouns {
  const all = nounNames.map((noun) => [noun, make(noun, readers[noun] as ReadDocument<Stored>)]);
  return Object.fromEntries(all);
}
