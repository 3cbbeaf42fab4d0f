import { textInAnyField } from '@kaptain/contract/field-conditions';
import { searchable } from '../../../folding.ts';
import type { GranuleFilter, GranuleSort, SortField } from '../../../granules.ts';
import { spanOf } from '../../shared/counts.ts';
import { fieldsToIndex, fieldsToNote } from '../../shared/field-index.ts';
import type { Session } from '../session.ts';
import { UNINDEXED_ROWS } from '../tuning.ts';
import { findCounter } from './counters.ts';
import { applySettings, fieldSql, hasUnicode } from './field-conditions.ts';
import { fieldIndexes } from './field-indexes.ts';
import { type Narrowing, type UsableIndex, usableIndexes } from './field-narrowing.ts';

/** The rows a filter leaves, before anything is searched: living or deleted ones in a span of changes. */
export interface Selection {
  kapsule: number;
  isOfDeleted: boolean;
  /** Changes after this one … */
  after: number;
  /** … up to this one. */
  through: number;
  reloadedThrough: number;
  total: number;
  /** The kapsule's deleted rows, in this span and outside of it. */
  deleted: number;
  /** The kapsule has rows outside the span. */
  isPart: boolean;
  /** The folded text to be found, '' when all are wanted. */
  q: string;
  /** SQL for the conditions on fields, each beginning with AND; '' without any. */
  conditions: string;
  /** The values in it. */
  settings: string[];
  /** The conditions whose field has an index. */
  narrowings: Narrowing[];
  /** All granules of the kapsule, or those of one condition alone, are asked for. */
  isAll: boolean;
  isOneCondition: boolean;
  /** The indexes of the fields of the kapsule that can be used. */
  indexes: UsableIndex[];
  /** Fields that need an index, or whose index has no recent use. */
  fieldsToNote: SortField[];
}

export async function select(
  session: Session,
  kapsuleId: string,
  { q = '', reloaded, deleted = false, where = [], sortField }: GranuleFilter & { sortField?: SortField },
): Promise<Selection | undefined> {
  const counter = await findCounter(session, kapsuleId);
  if (!counter || (deleted && reloaded === true)) return undefined;
  const { kapsule, reloadedThrough, lastChange } = counter;
  const isUnicode = where.some(({ is }) => is === 'contains') && (await hasUnicode(session));
  const wanted = deleted ? [] : fieldsToIndex(where, sortField);
  const existing = wanted.length === 0 ? [] : await fieldIndexes(session, kapsule);
  const indexes = await usableIndexes(session, counter, existing);
  const fields = fieldSql(where, isUnicode, indexes);
  await applySettings(session, fields.settings);
  // The text of a condition is in the search text too, so that trigrams find its rows.
  const text = searchable(q === '' ? textInAnyField(where) : q);
  const isUnsearched = text === '' && reloaded === undefined;
  const common = {
    ...fields,
    indexes,
    fieldsToNote: fieldsToNote(counter.total, existing, wanted),
    isAll: isUnsearched && where.length === 0,
    isOneCondition: isUnsearched && where.length === 1,
    kapsule,
    reloadedThrough,
    isOfDeleted: deleted,
    deleted: counter.deleted,
    q: text,
  };
  if (deleted) return { ...common, after: 0, through: lastChange, total: counter.deleted, isPart: true };
  return { ...common, ...spanOf(counter, reloaded), isPart: reloaded !== undefined };
}

/** Trigrams are made of letters and digits alone. */
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}/u;

export const isLarge = ({ total }: Selection) => total > UNINDEXED_ROWS;

export const isForTrigrams = (selection: Selection) =>
  !selection.isOfDeleted && isLarge(selection) && HAS_TRIGRAM.test(selection.q);

/** Numbers are ours; a text that is searched is always a value. */
export const spanCondition = ({ after, through, isOfDeleted }: Selection) =>
  `g.change > ${after} AND g.change <= ${through} AND g.deleted_at IS ${isOfDeleted ? 'NOT NULL' : 'NULL'}`;

/** For LIKE, in which no character of the text means anything. */
export const patternOf = (q: string) => `%${q.replace(/[\\%_]/g, '\\$&')}%`;

/** The order by user knows so much of a name: an entry of an index must not be longer than a third of a page. */
export const NAME = 'left(g."user", 300) AS name';

const columns: Record<GranuleSort, string> = {
  key: 'g.place',
  user: 'g.name',
  createdAt: 'g.created_at',
  updatedAt: 'g.change',
  reloaded: 'g.change',
};

/** Not reloaded comes before reloaded, so that order is the order of changes backwards. */
export function orderOf(sort: GranuleSort, descending: boolean): string {
  const isUp = sort === 'reloaded' ? descending : !descending;
  const direction = isUp ? 'ASC' : 'DESC';
  const isWithoutTies = sort === 'key' || isAlongChanges(sort);
  return `${columns[sort]} ${direction}${isWithoutTies ? '' : `, g.id ${direction}`}`;
}

export const isAlongChanges = (sort: GranuleSort) => columns[sort] === 'g.change';
