import { anyToQvd, atMostOne, showAny } from './any-value.ts';
import type { FieldDefinition, FieldValue } from './field-type.ts';

type List = Extract<FieldValue, unknown[]>;

const isList = (value: unknown): value is List =>
  Array.isArray(value) && value.every((entry) => typeof entry !== 'object');

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a text is written as one part: semicolons and line ends stand between parts. */
export const isOnePart = (text: string): boolean => !/[;\n]/.test(text);

/** The different parts of a text between semicolons and line ends. */
export const partsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[;\n]/)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
];

/** Parts, or a JSON array of texts, numbers and booleans. */
const read = (typed: string): List | null | undefined => {
  if (typed.trimStart().startsWith('[')) {
    const value = jsonIn(typed);
    return isList(value) ? value : undefined;
  }
  const parts = partsOf(typed);
  return parts.length === 0 ? null : parts;
};

export const list: FieldDefinition = {
  comparedAs: 'list',
  storedAs: 'text',
  enteredAs: 'list',
  boundedAs: 'entries',
  canonical: (value) => (isList(value) ? value : undefined),
  readings: (typed) => atMostOne(read(typed)),
  refusal: 'is not valid JSON!',
  show: showAny,
  // A text that is no list becomes a list of one.
  fromQvd: ({ shown }) => (shown === null || shown === '' ? null : (read(shown) ?? [shown])),
  fromTextColumn(stored) {
    const value = jsonIn(stored);
    return Array.isArray(value) ? (value as unknown) : stored;
  },
  qvdColumn: 'text',
  toQvd: anyToQvd,
  inLoadScript: (field) => field,
};
