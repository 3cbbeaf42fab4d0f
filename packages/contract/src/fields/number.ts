import { anyToQvd, readInFile, showAny } from './any-value.ts';
import type { FieldDefinition } from './field-type.ts';

// Digits follow each other in one way only: a long text that is no number is refused in linear time.
const PLAIN = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i;

const plainNumber = (text: string): number | undefined =>
  PLAIN.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined;

/** Understands 1234.5, 1,234.5, 1.234,5 and 1 234,5; a lone comma is a decimal comma. */
function grouped(text: string): number | undefined {
  const plain = text.replaceAll(/[\s'’]/g, '');
  const decimal = plain.lastIndexOf(',') > plain.lastIndexOf('.') ? ',' : '.';
  const groups = decimal === ',' ? '.' : ',';
  const [whole = '', ...rest] = plain.split(decimal);
  if (rest.length > 1 || rest[0]?.includes(groups)) return undefined;
  if (whole.includes(groups) && !new RegExp(`^[-+]?\\d{1,3}(\\${groups}\\d{3})+$`).test(whole))
    return undefined;
  return plainNumber([whole.replaceAll(groups, ''), ...rest].join('.'));
}

const read: FieldDefinition['read'] = (typed) => {
  const given = typed.trim();
  return given === '' ? null : (plainNumber(given) ?? grouped(given));
};

export const number: FieldDefinition = {
  comparedAs: 'number',
  storedAs: 'number',
  enteredAs: 'decimal',
  check: Number.isFinite,
  read,
  // Spec 5.
  refusal: 'is not a valid number!',
  show: showAny,
  fromQvd: (cell) => (Number.isFinite(cell.number) ? cell.number : readInFile({ read }, cell.text)),
  fromTextColumn: (stored) => plainNumber(stored) ?? stored,
  qvdColumn: 'number',
  toQvd: anyToQvd,
  inLoadScript: (field) => `Num#(${field}, '', '.', ',')`,
};
