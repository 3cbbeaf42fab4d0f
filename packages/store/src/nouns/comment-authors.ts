import { optional, record, text } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** The authors of the comments of one thread. The thread itself, which may be in a customer's table, has only their names. */
export interface CommentAuthorsRecord extends Stored {
  /** The kapsule through which the first comment was written. */
  kapsuleId: string;
  /** In a data source its table, which several kapsules may have. */
  tableKey?: string;
  /** The SHA-256 of kapsule, granule and field, in a data source of table, row and column. */
  threadKey: string;
  /** By the id of the comment: the author as the service identifies them. */
  authors: Record<string, string>;
}

export const commentAuthors = noun<CommentAuthorsRecord>({
  name: 'commentAuthors',
  fields: { kapsuleId: text, tableKey: optional(text), threadKey: text, authors: record(text) },
  unique: ['threadKey'],
  indexes: ['kapsuleId', 'tableKey'],
});
