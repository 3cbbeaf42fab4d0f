/** A noun is a small kind of document with declared indexes; every backend builds its tables from these. */
export interface Stored {
  /** 24 hex digits that sort by time of creation. */
  id: string;
  /** 1 when inserted, one more with every patch. */
  version: number;
}

export interface Noun<T extends Stored> {
  name: string;
  /** Fields of which no two documents may hold the same value. */
  unique: readonly (keyof T & string)[];
  /** Fields that findBy and recent may ask for; a list field is found by each of its entries. */
  indexes: readonly (keyof T & string)[];
  /** Those of the indexes whose fields hold lists: some databases need another kind of index for them. */
  lists?: readonly (keyof T & string)[];
}

/** Written once so that the element types of `unique` and `indexes` stay tied to the document. */
export function noun<T extends Stored>(definition: Noun<T>): Noun<T> {
  return definition;
}
