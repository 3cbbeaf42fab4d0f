const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** Longer than every number of an engine, short enough for the expressions here. */
const LONGEST = 400;

export const isNumber = (text: string): boolean => text.length <= LONGEST && NUMBER.test(text);

/** The one spelling of a decimal number without exponent, plus and needless zeros; undefined for one that would be too long. */
function plainNumber(text: string): string | undefined {
  const [, sign = '', whole = '', part = '', power = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  if (Math.abs(Number(power)) > LONGEST) return undefined;
  const point = whole.length + Number(power);
  const digits = `${'0'.repeat(Math.max(0, -point))}${whole}${part}`.padEnd(point, '0');
  const before = digits.slice(0, Math.max(0, point)).replace(/^0+/, '') || '0';
  let after = digits.slice(Math.max(0, point));
  while (after.endsWith('0')) after = after.slice(0, -1);
  const plain = after === '' ? before : `${before}.${after}`;
  return sign === '-' && plain !== '0' ? `-${plain}` : plain;
}

/** The number, or its plain spelling when JavaScript would round it. */
export function exactNumber(text: string): number | string {
  const number = Number(text);
  const plain = plainNumber(text);
  if (plain === undefined) return number;
  const isExact = plain.includes('.') ? plainNumber(String(number)) === plain : Number.isSafeInteger(number);
  // Not the negative zero, which is no other number.
  return isExact ? number + 0 : plain;
}
