import type { Stored } from '../../nouns/noun.ts';
import type { ReadDocument } from '../../nouns/read-document.ts';
import { readDocuments } from '../../nouns/read-documents.ts';
import type { Documents, StoredSize } from '../../store.ts';

export type DocumentMethod =
  | 'get'
  | 'all'
  | 'findBy'
  | 'sizeBy'
  | 'recent'
  | 'insert'
  | 'patch'
  | 'remove'
  | 'removeMany';

type Call = (method: DocumentMethod, args: unknown[]) => Promise<unknown>;

/** The documents of a table that holds them as text; `read` and `write` run a method of the table. */
export function typedDocuments<T extends Stored>(
  toDocument: ReadDocument<T>,
  read: Call,
  write: Call,
): Documents<T> {
  const parsed = (text: unknown) => toDocument(text as string);
  const parsedAll = (texts: unknown) => readDocuments(texts as string[], toDocument);
  return {
    async get(id) {
      const text = await read('get', [id]);
      return text === undefined ? undefined : parsed(text);
    },
    all: async () => parsedAll(await read('all', [])),
    findBy: async (index, value) => parsedAll(await read('findBy', [index, value])),
    sizeBy: async (index, value) => (await read('sizeBy', [index, value])) as StoredSize,
    recent: async (query) => parsedAll(await read('recent', [query])),
    insert: async (document, after) => parsed(await write('insert', [JSON.stringify(document), after])),
    patch: async (id, change, version) => parsed(await write('patch', [id, JSON.stringify(change), version])),
    remove: async (id) => (await write('remove', [id])) as boolean,
    removeMany: async (ids) => (await write('removeMany', [ids])) as number,
  };
}
