/** The types of fields that cells can edit. */
export const cellTypes = ['text', 'number', 'boolean', 'date'] as const;
export type CellType = (typeof cellTypes)[number];

/** A value of a field; null when the cell is empty. */
export type CellValue = string | number | boolean | null;

export type Parsed = { value: CellValue } | { error: string };

const YES = new Set(['yes', 'true', 'ja', 'oui', 'si', 'x', '1']);
const NO = new Set(['no', 'false', 'nein', 'non', '0']);
const ISO_DATE = /^(\d{4})-(\d\d)-(\d\d)$/;

function isDate(text: string): boolean {
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

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

/** The value that a typed or pasted text means, or why it means none. */
export function parseCell(type: CellType, text: string): Parsed {
  const given = text.trim();
  if (given === '') return { value: null };
  switch (type) {
    case 'text':
      return { value: text };
    case 'number': {
      const value = numberIn(given);
      return value === undefined || !Number.isFinite(value) ? { error: 'This is no number.' } : { value };
    }
    case 'boolean': {
      const word = given.toLowerCase();
      if (YES.has(word)) return { value: true };
      return NO.has(word) ? { value: false } : { error: 'Please enter yes or no.' };
    }
    case 'date':
      return ISO_DATE.test(given) && isDate(given)
        ? { value: given }
        : { error: 'Please enter a date as yyyy-mm-dd.' };
  }
}

/** A value as text: in a cell, and as the beginning of an edit. */
export function showCell(type: CellType, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (type === 'boolean' && typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return type === 'date' ? value.slice(0, 10) : value;
  return JSON.stringify(value);
}

export const sameValue = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
