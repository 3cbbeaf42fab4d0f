import { texts } from '../texts/texts.ts';
import { isDate, showTimestamp, timestampIn, withIsoDate } from './timestamps.ts';

/** The types of fields that cells can edit. */
export const cellTypes = [
  'text',
  'paragraph',
  'number',
  'boolean',
  'date',
  'timestamp',
  'choice',
  'choices',
  'thread',
] as const;
export type CellType = (typeof cellTypes)[number];

/** What decides which values a cell takes. */
export interface ValueRule {
  type: CellType;
  /** Of the types `choice` and `choices`. */
  choices: readonly string[];
}

/** A value of a field; null when the cell is empty. */
export type CellValue = string | number | boolean | string[] | null;

export type Parsed = { value: CellValue } | { error: string };

const YES = new Set(['yes', 'true', 'ja', 'oui', 'si', 'sí', 'x', '1']);
const NO = new Set(['no', 'false', 'nein', 'non', '0']);
const ISO_DATE = /^(\d{4})-(\d\d)-(\d\d)$/;

/** Understands 1234.5, 1,234.5, 1.234,5 and 1 234,5; a lone comma is a decimal comma. */
function numberIn(text: string): number | undefined {
  const plain = text.replaceAll(/[\s'’]/g, '');
  const decimal = plain.lastIndexOf(',') > plain.lastIndexOf('.') ? ',' : '.';
  const groups = decimal === ',' ? '.' : ',';
  const [whole = '', ...rest] = plain.split(decimal);
  const isGrouped = whole.includes(groups);
  if (rest.length > 1 || rest[0]?.includes(groups)) return undefined;
  if (isGrouped && !new RegExp(`^[-+]?\\d{1,3}(\\${groups}\\d{3})+$`).test(whole)) return undefined;
  const source = [whole.replaceAll(groups, ''), ...rest].join('.');
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(source) ? Number(source) : undefined;
}

/** The parts of a list as typed or pasted; also how the property panel gives the choices. */
export const partsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[;\n]/)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
];

/** The choice as it is spelled in the list. */
const choiceIn = (choices: readonly string[], text: string): string | undefined =>
  choices.find((choice) => choice === text) ??
  choices.find((choice) => choice.toLowerCase() === text.toLowerCase());

function choicesIn(choices: readonly string[], text: string): Parsed {
  const chosen = partsOf(text).map((part) => choiceIn(choices, part));
  const value = choices.filter((choice) => chosen.includes(choice));
  if (chosen.includes(undefined)) return { error: texts().noChoices(choices.join('; ')) };
  return { value: value.length === 0 ? null : value };
}

/** The value that a typed or pasted text means, or why it means none. */
export function parseCell({ type, choices }: ValueRule, text: string): Parsed {
  const given = text.trim();
  if (given === '') return { value: null };
  switch (type) {
    case 'text':
    case 'paragraph':
    case 'thread':
      return { value: text };
    case 'number': {
      const value = numberIn(given);
      return value === undefined || !Number.isFinite(value) ? { error: texts().noNumber } : { value };
    }
    case 'boolean': {
      const word = given.toLowerCase();
      if (YES.has(word)) return { value: true };
      return NO.has(word) ? { value: false } : { error: texts().noYesOrNo };
    }
    case 'date': {
      const value = withIsoDate(given);
      return ISO_DATE.test(value) && isDate(value) ? { value } : { error: texts().noDate };
    }
    case 'timestamp': {
      const value = timestampIn(given);
      return value === undefined ? { error: texts().noTimestamp } : { value };
    }
    case 'choice': {
      const value = choiceIn(choices, given);
      return value === undefined ? { error: texts().noChoice(choices.join('; ')) } : { value };
    }
    case 'choices':
      return choicesIn(choices, given);
  }
}

/** A value as text: in a cell, and as the beginning of an edit. */
export function showCell(type: CellType, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (type === 'boolean' && typeof value === 'boolean') return value ? texts().yes : texts().no;
  if (Array.isArray(value)) return value.map((part) => showCell('text', part)).join('; ');
  if (typeof value !== 'string') return JSON.stringify(value);
  if (type === 'timestamp') return showTimestamp(value);
  return type === 'date' ? value.slice(0, 10) : value;
}

export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

export const sameValue = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
