import type { Checks } from './checks.ts';

/** A noun is a small kind of document with declared indexes; every backend builds its tables from these. */
export interface Stored {
  /** 24 hex digits that sort by time of creation. */
  id: string;
  /** 1 when first inserted, one more with every patch. */
  version: number;
}

export type Fields = Record<string, unknown>;

/** One change of the form of a noun's documents. Neither direction changes what an indexed field holds. */
export interface FormChange {
  /** Reads: makes a document of the form before into one of this form. */
  fromOlder(document: Fields): Fields;
  /** Writes: the way back, while an earlier version still runs on the same database. */
  toOlder(document: Fields): Fields;
}

export interface Noun<T extends Stored> {
  name: string;
  /** The check of each field; every document is checked when it is read. */
  fields: Checks<Omit<T, keyof Stored>>;
  /** From form 1 to 2, from 2 to 3 and so on; the schema version of the noun is the number of its forms. */
  formChanges?: readonly FormChange[];
  /** Fields of which no two documents may hold the same value. */
  unique: readonly (keyof T & string)[];
  /** Fields that findBy and recent may ask for; a list field is found by each of its entries. */
  indexes: readonly (keyof T & string)[];
  /** Those of the indexes whose fields hold lists: some databases need another kind of index for them. */
  lists?: readonly (keyof T & string)[];
}

/** Written once so that checks, `unique` and `indexes` stay tied to the type of the document. */
export function noun<T extends Stored>(definition: Noun<T>): Noun<T> {
  return definition;
}
