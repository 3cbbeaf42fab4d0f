import type { Nouns } from '../documents.ts';
import { type NounName, nounNames, nouns } from './all.ts';
import type { Noun, Stored } from './noun.ts';
import { documentReader, type ReadDocument } from './read-document.ts';

type RecordOf<Name extends NounName> = Nouns[Name] extends { get(id: string): Promise<infer T> }
  ? NonNullable<T>
  : never;

/** The readers of the stored documents of each noun. */
export const readers = Object.fromEntries(
  nounNames.map((name) => [name, documentReader(nouns[name] as unknown as Noun<Stored>)]),
) as unknown as { readonly [Name in NounName]: ReadDocument<RecordOf<Name>> };
