import { DEFAULT_DATABASE, type ThreadComment } from '@kaptain/contract';
import type { KapsuleRecord, Nouns } from '@kaptain/store';
import { hashToken } from '../../base/secrets/tokens.ts';
import { type AuthorId, authorKey } from '../../identity/users/author-id.ts';
import { bindingOf, type Databases } from '../data-sources/data-sources.ts';
import { rowIdIn } from '../data-sources/source-granules.ts';
import { REMOVED_AUTHORS } from '../tuning.ts';

/** The threads of a field. Those of a column in a data source are the same through every kapsule that is bound to it. */
export interface ThreadField {
  kapsuleId: string;
  field: string;
  source?: { tableKey: string; database: string; table: string; column: string };
}

interface ThreadOf extends ThreadField {
  granuleId: string;
}

const tableKeyOf = ({ database, tableName }: Pick<KapsuleRecord, 'database' | 'tableName'>): string =>
  JSON.stringify([database, tableName.toLowerCase()]);

/** Databases find a table and a column in any case, so their own spelling decides. */
export async function threadFieldOf(
  { dataSources }: Pick<Databases, 'dataSources'>,
  kapsule: KapsuleRecord,
  field: string,
): Promise<ThreadField> {
  const { id: kapsuleId, database } = kapsule;
  if (database === DEFAULT_DATABASE) return { kapsuleId, field };
  const source = await dataSources.get(database);
  const column = await source.columnOf(bindingOf(kapsule), field);
  return { kapsuleId, field, source: { tableKey: tableKeyOf(kapsule), database, ...column } };
}

/** The authors of a thread's comments by the comments' ids; comments of earlier versions have none. */
export type CommentAuthors = Readonly<Record<string, string>>;

/** Only an own property: a comment may have the id `constructor`. */
export const authorIn = (authors: CommentAuthors, commentId: string): string | undefined =>
  Object.hasOwn(authors, commentId) ? authors[commentId] : undefined;

export function threadKeyOf({ kapsuleId, granuleId, field, source }: ThreadOf): string {
  const identity = source
    ? [source.database, source.table, rowIdIn(granuleId), source.column]
    : [kapsuleId, granuleId, field];
  return hashToken(JSON.stringify(identity));
}

export async function readCommentAuthors(
  { commentAuthors }: Pick<Nouns, 'commentAuthors'>,
  thread: ThreadOf,
): Promise<CommentAuthors> {
  const [found] = await commentAuthors.findBy('threadKey', threadKeyOf(thread));
  return found?.authors ?? {};
}

interface ThreadChange {
  before: readonly ThreadComment[];
  after: readonly ThreadComment[];
  added?: { id: string; author: AuthorId };
}

/**
 * Stores the author of the new comment. Authors of removed comments are removed with the next change: a data source commits after
 * the store, so the comments may still be there.
 */
export async function storeCommentAuthors(
  { commentAuthors }: Pick<Nouns, 'commentAuthors'>,
  thread: ThreadOf,
  { before, after, added }: ThreadChange,
): Promise<void> {
  const { kapsuleId, source } = thread;
  const threadKey = threadKeyOf(thread);
  const [found] = await commentAuthors.findBy('threadKey', threadKey);
  const entries = [...before, ...after].flatMap(({ id }) => {
    const author = id === added?.id ? authorKey(added.author) : authorIn(found?.authors ?? {}, id);
    return author === undefined ? [] : [[id, author] as const];
  });
  const authors = Object.fromEntries(entries);
  if (found) await commentAuthors.patch(found.id, { authors });
  else if (entries.length > 0)
    await commentAuthors.insert({
      kapsuleId,
      ...(source && { tableKey: source.tableKey }),
      threadKey,
      authors,
    });
}

/** In small units, so that other writes do not wait long. */
async function forget(
  { commentAuthors }: Pick<Nouns, 'commentAuthors'>,
  where: { kapsuleId: string } | { tableKey: string },
): Promise<void> {
  for (;;) {
    const some = await commentAuthors.recent({ where, limit: REMOVED_AUTHORS });
    if (some.length === 0) return;
    await commentAuthors.removeMany(some.map(({ id }) => id));
  }
}

/** Removes the authors of a kapsule that can't be restored, in the service's own store. */
export const forgetAuthorsOfKapsule = (
  nouns: Pick<Nouns, 'commentAuthors'>,
  { id }: Pick<KapsuleRecord, 'id'>,
): Promise<void> => forget(nouns, { kapsuleId: id });

/**
 * Removes the authors of a table that was dropped from its data source. A table that exists keeps them, for other kapsules and for
 * one that is bound to it later.
 */
export const forgetAuthorsOfTable = (
  nouns: Pick<Nouns, 'commentAuthors'>,
  kapsule: Pick<KapsuleRecord, 'database' | 'tableName'>,
): Promise<void> => forget(nouns, { tableKey: tableKeyOf(kapsule) });
