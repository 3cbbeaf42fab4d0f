import { SORTED_CHARACTERS, type SortValue } from '@kaptain/contract/field-conditions';
import { type ComparedAs, type FieldType, fieldTypes } from '@kaptain/contract/fields';

/** PostgreSQL can't take a NUL or half of a surrogate pair out of JSON; JSON.stringify escapes both, in lower case. */
export const JSON_DATA = String.raw`(CASE WHEN strpos(g.data, '\u0000') > 0 OR strpos(g.data, '\ud') > 0
  THEN regexp_replace(replace(g.data, '\\', '\u005c'), '\\u(0000|d[89a-f][0-9a-f]{2})', '\ufffd', 'g') ELSE g.data END)::json`;

export const TEXT = "(v #>> '{}')";
export const IS_DAY = `${TEXT} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}'`;
export const IS_EMPTY = `coalesce(v::text, 'null') IN ('null', '""', '[]')`;
/** With a T between day and time. */
export const TIME = `CASE WHEN substr(${TEXT}, 11, 1) = ' ' THEN overlay(${TEXT} PLACING 'T' FROM 11 FOR 1) ELSE ${TEXT} END`;

const isString = "json_typeof(v) = 'string'";
const cut = (text: string) => `left(${text}, ${SORTED_CHARACTERS})`;

interface Sorted {
  isOfType: string;
  amount: string;
  words: string;
}

const texts = (isOfType: string, words: string): Sorted => ({ isOfType, amount: 'NULL::float8', words });
const numbers = (kind: string, amount: string): Sorted => ({
  isOfType: `json_typeof(v) = '${kind}'`,
  amount,
  words: 'NULL::text',
});

/** As `comparisons` of the contract does it. */
const sorted: Record<ComparedAs, Sorted> = {
  number: numbers('number', `${TEXT}::float8`),
  boolean: numbers('boolean', `CASE v::text WHEN 'true' THEN 1 ELSE 0 END::float8`),
  list: texts("json_typeof(v) = 'array'", cut('v::text')),
  text: texts(isString, cut(TEXT)),
  day: texts(`${isString} AND ${IS_DAY}`, cut(TEXT)),
  time: texts(`${isString} AND ${IS_DAY}`, cut(TIME)),
};

/** Selects rank, amount and words of the granule `g`: the value that it is sorted by. `name` is SQL for the field's name. */
export function entryOf(type: FieldType, name: string): string {
  const { isOfType, amount, words } = sorted[fieldTypes[type].comparedAs];
  // CASE keeps the order of evaluation: a text is never cast to a number. OFFSET 0 keeps the data from being parsed twice.
  return `SELECT CASE WHEN ${IS_EMPTY} THEN 2 WHEN ${isOfType} THEN 0 ELSE 1 END AS rank,
    CASE WHEN ${isOfType} THEN ${amount} END AS amount,
    CASE WHEN NOT ${IS_EMPTY} AND ${isOfType} THEN ${words} END COLLATE "C" AS words
    FROM (SELECT ${JSON_DATA} -> ${name} AS v OFFSET 0) one`;
}

/** The ranks in the order of every page: values, those of another type, empty ones. */
export const RANKS = [0, 1, 2] as const;

export interface EntryRow {
  id: string;
  rank: number;
  amount: number | null;
  words: string | null;
}

export const sortValueIn = ({ rank, amount, words }: EntryRow): SortValue =>
  rank === 0 ? (amount ?? words) : rank === 1 ? false : null;

export const entryOrder = (descending: boolean, entry = 'f') =>
  ['amount', 'words', 'id'].map((column) => `${entry}.${column} ${descending ? 'DESC' : 'ASC'}`).join(', ');
