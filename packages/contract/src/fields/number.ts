import { anyToQvd, readInFile, showAny } from './any-value.ts';
import { type DecimalMark, english, type FieldDefinition } from './field-type.ts';
import { numberIn, plainNumber } from './number-text.ts';
import { undressed } from './undressed-number.ts';

const other = (mark: DecimalMark): DecimalMark => (mark === '.' ? ',' : '.');

/** Without its groups, or with a lone mark of groups that stands where no thousands end: 1,5 in English is 1.5 or 15. */
const withoutMarks = (text: string): number | undefined =>
  /^[-+]?[1-9]\d*[.,]\d+$/.test(text) ? plainNumber(text.replace(/[.,]/, '')) : undefined;

const readings: FieldDefinition['readings'] = (typed, { decimal, unit } = english) => {
  const whole = typed.replaceAll(/[\s'’]/g, '');
  if (whole === '') return [null];
  const { text, meant } = undressed(whole, unit);
  const ways =
    decimal === undefined
      ? [numberIn(text, '.'), numberIn(text, ',')]
      : numberIn(text, decimal) !== undefined
        ? [numberIn(text, decimal)]
        : [numberIn(text, other(decimal)), withoutMarks(text)];
  return [...new Set(ways.filter((value) => value !== undefined).map(meant))];
};

export const number: FieldDefinition = {
  comparedAs: 'number',
  storedAs: 'number',
  enteredAs: 'decimal',
  boundedAs: 'number',
  // Minus zero is a zero.
  canonical: (value) => (typeof value === 'number' && Number.isFinite(value) ? value + 0 : undefined),
  readings,
  // Spec 5.
  refusal: 'is not a valid number!',
  show: (value, locale = english) =>
    typeof value === 'number' && locale.decimal === ','
      ? String(value).replace('.', ',')
      : showAny(value, locale),
  fromQvd: (cell) => (Number.isFinite(cell.number) ? cell.number : readInFile({ readings }, cell.text)),
  fromTextColumn: (stored) => plainNumber(stored) ?? stored,
  qvdColumn: 'number',
  toQvd: anyToQvd,
  inLoadScript: (field) => `Num#(${field}, '', '.', ',')`,
};
