import { fieldsTest, textInAnyField } from '@kaptain/contract/field-conditions';
import { searchable } from '../../../folding.ts';
import type { FieldCondition, GranuleFilter, GranuleSort, SortField } from '../../../granules.ts';
import { spanOf } from '../../shared/counts.ts';
import type { FieldIndex } from '../../shared/field-index.ts';
import type { Connection } from '../connection.ts';
import { findCounter } from './counters.ts';
import { type Narrowing, narrowingsOf, usableIndexes } from './field-narrowing.ts';
import type { Table } from './records.ts';

/** Rows of a page by their numbers, in order. */
export interface RowPage {
  rows: number[];
  total: number;
  totalIsExact: boolean;
  /** The scan has ended before all rows were looked at. */
  isPartial: boolean;
}

/** The rows that a filter leaves before the search: those of one table in a range of changes. */
export interface Selection {
  table: Table;
  kapsule: number;
  /** Changes after this one … */
  after: number;
  /** … up to this one. */
  through: number;
  total: number;
  /** The table has rows of the kapsule outside the span. */
  isPart: boolean;
  /** The folded text to be found, '' when all are wanted. */
  q: string;
  /** SQL for the conditions on fields, '' without any. */
  matches: string;
  /** The conditions whose field has an index. */
  narrowings: Narrowing[];
  /** All granules of the kapsule, or those of one condition alone, are asked for. */
  isAll: boolean;
  isOneCondition: boolean;
  /** The indexes of the fields of the kapsule that can be used. */
  indexes: FieldIndex[];
}

export function select(
  connection: Connection,
  kapsuleId: string,
  { q = '', reloaded, deleted = false, where = [], sortField }: GranuleFilter & { sortField?: SortField },
): Selection | undefined {
  const counter = findCounter(connection, kapsuleId);
  if (!counter || (deleted && reloaded === true)) return undefined;
  const { kapsule, lastChange } = counter;
  // The text of a condition is in the search text too, so that the search index finds its rows.
  const text = searchable(q === '' ? textInAnyField(where) : q);
  const matches = where.length === 0 ? '' : defineMatches(connection, where);
  const isByField = where.length > 0 || sortField !== undefined;
  const indexes = isByField && !deleted ? usableIndexes(connection, counter) : [];
  const narrowings = narrowingsOf(indexes, where);
  const isUnsearched = text === '' && reloaded === undefined;
  const isAll = isUnsearched && where.length === 0;
  const isOneCondition = isUnsearched && where.length === 1;
  const common = {
    kapsule,
    after: 0,
    through: lastChange,
    q: text,
    matches,
    narrowings,
    isAll,
    isOneCondition,
    indexes,
  };
  if (deleted) return { ...common, table: 'granules_deleted', total: counter.deleted, isPart: false };
  const isPart = reloaded !== undefined || hasHiddenRows(connection, kapsule);
  return { ...common, table: 'granules', ...spanOf(counter, reloaded), isPart };
}

/** The conditions are tested by JavaScript, so that they mean the same in every store. */
function defineMatches(connection: Connection, where: readonly FieldCondition[]): string {
  const test = fieldsTest(where);
  connection.define('fields_match', (data) => Number(test(JSON.parse(data) as Record<string, unknown>)));
  return 'AND fields_match(g.data) = 1';
}

function hasHiddenRows(connection: Connection, kapsule: number): boolean {
  return connection.get('SELECT 1 FROM granule_imports WHERE kapsule = ?', kapsule) !== undefined;
}

interface Order {
  by: string;
  /** The index that has this order, if there is one. */
  index: string;
}

/** Not reloaded comes before reloaded, so that order is the order of changes backwards. */
export function orderOf(table: Table, sort: GranuleSort, descending: boolean): Order {
  const column = sort === 'reloaded' || sort === 'updatedAt' ? 'change' : sort;
  const isUp = sort === 'reloaded' ? descending : !descending;
  const direction = isUp ? 'ASC' : 'DESC';
  return {
    by: `g.${column} ${direction}, g.row ${direction}`,
    index: table === 'granules' ? `INDEXED BY granules_${column}` : '',
  };
}
