import type { DecimalMark } from './field-type.ts';

// Digits follow each other in one way only: a long text that is no number is refused in linear time.
const PLAIN = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i;
/** Numbers with so many digits are exact in a float. */
const EXACT_DIGITS = 15;
const GROUPS = { ',': /^[-+]?[1-9]\d{0,2}(,\d{3})+$/, '.': /^[-+]?[1-9]\d{0,2}(\.\d{3})+$/ } as const;

/** Without the zeros at its end. A regular expression looks for the end from each zero, for minutes in a long text. */
function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** The digits that count, and the power of ten of the last one. */
function significant(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().replace(/^[-+]/, '').split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const cut = withoutLastZeros(digits);
  return `${cut}e${Number(exponent) - fraction.length + digits.length - cut.length}`;
}

/** Whether a float keeps all digits of this number: an order number of 20 digits would come back as another one. */
const isExact = (text: string, value: number): boolean => {
  const digits = significant(text);
  return digits.indexOf('e') <= EXACT_DIGITS || digits === significant(String(value));
};

/** A number as programs write it; undefined when a float can't hold it. */
export function plainNumber(text: string): number | undefined {
  if (!PLAIN.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) && isExact(text, value) ? value : undefined;
}

/** A number without spaces, with this decimal mark; the other mark may group thousands. */
export function numberIn(text: string, decimal: DecimalMark): number | undefined {
  const group = decimal === '.' ? ',' : '.';
  const [whole = '', ...fractions] = text.split(decimal);
  if (fractions.length > 1 || fractions[0]?.includes(group)) return undefined;
  if (whole.includes(group) && !GROUPS[group].test(whole)) return undefined;
  return plainNumber([whole.replaceAll(group, ''), ...fractions].join('.'));
}
