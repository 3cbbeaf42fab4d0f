import { textOf } from './any-value.ts';
import { DAY, DAY_CHARACTERS, TIME_CHARACTERS } from './calendar.ts';
import type { ComparedAs } from './field-type.ts';

/** Values are sorted by so many characters. */
export const SORTED_CHARACTERS = 200;

/** What a granule is sorted by: false, after all others, for a value of another type, and null, last, for an empty one. */
export type SortValue = number | string | false | null;

type Bound = number | string;

interface Range {
  /** What a bound is, for the message about another one. */
  bound: string;
  /** A bound as it is compared; undefined when it is of another type. */
  readonly boundOf: (bound: Bound) => Bound | undefined;
  /** A value as it is compared; undefined when it is of another type. */
  readonly valueOf: (value: unknown) => Bound | undefined;
}

export interface Comparison {
  /** Only of values that have one. */
  range?: Range;
  /** Of a value that is not empty. */
  readonly sortValue: (value: unknown) => SortValue;
}

/** As every database can store it. */
const cut = (text: string) => text.slice(0, SORTED_CHARACTERS).toWellFormed().replaceAll('\0', '\ufffd');

/** With a T between day and time, so that both forms sort as the times that they are. */
const withT = (value: string): string =>
  value[DAY_CHARACTERS] === ' '
    ? `${value.slice(0, DAY_CHARACTERS)}T${value.slice(DAY_CHARACTERS + 1)}`
    : value;

const isDated = (value: unknown): value is string => typeof value === 'string' && DAY.test(value);

export const comparisons: Readonly<Record<ComparedAs, Comparison>> = {
  text: { sortValue: (value) => typeof value === 'string' && cut(value) },
  list: { sortValue: (value) => Array.isArray(value) && cut(textOf(value)) },
  boolean: { sortValue: (value) => typeof value === 'boolean' && Number(value) },
  number: {
    range: {
      bound: 'a number',
      boundOf: (bound) => (typeof bound === 'number' ? bound : undefined),
      valueOf: (value) => (typeof value === 'number' ? value : undefined),
    },
    sortValue: (value) => typeof value === 'number' && value,
  },
  day: {
    range: {
      bound: 'a day',
      boundOf: (bound) => (typeof bound === 'string' && bound.length === DAY_CHARACTERS ? bound : undefined),
      valueOf: (value) => (isDated(value) ? value.slice(0, DAY_CHARACTERS) : undefined),
    },
    sortValue: (value) => isDated(value) && cut(value),
  },
  time: {
    range: {
      bound: 'a time in UTC',
      boundOf: (bound) =>
        typeof bound === 'string' && bound.length !== DAY_CHARACTERS
          ? bound.slice(0, TIME_CHARACTERS)
          : undefined,
      valueOf: (value) => (isDated(value) ? withT(value).slice(0, TIME_CHARACTERS) : undefined),
    },
    sortValue: (value) => isDated(value) && cut(withT(value)),
  },
};
