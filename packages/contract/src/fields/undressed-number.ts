/** A number without what spreadsheets write around it, and the value that is meant by the number that is left. */
interface Undressed {
  text: string;
  meant: (value: number) => number;
}

/** The sign of a currency of which this is the code, e.g. € of EUR. */
function signOf(code: string): string {
  if (!/^[A-Z]{3}$/.test(code)) return code;
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: code,
    currencyDisplay: 'narrowSymbol',
  });
  return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? code;
}

/** Without the unit of the field at its end. */
function withoutUnit(text: string, unit: string): string {
  const isThere = unit !== '' && text.toLowerCase().endsWith(unit.toLowerCase());
  return isThere ? text.slice(0, -unit.length) : text;
}

/** Without one sign of a currency before or behind the digits. That of another currency than the field's stays. */
function withoutCurrency(text: string, unit: string): string {
  const [sign, second] = text.match(/\p{Sc}/gu) ?? [];
  if (sign === undefined || second !== undefined || /\d\p{Sc}[\d(]/u.test(text)) return text;
  return unit === '' || sign === unit || sign === signOf(unit) ? text.replace(sign, '') : text;
}

/** (5) is -5, as accountants write it. */
const NEGATIVE = /^\(([^-+].*)\)$/;

/**
 * Takes a text without spaces apart: € 5 is 5, (5) and −5 are -5, 5% is 0.05. In a field whose unit is the percent sign, 5% is
 * 5. What does not belong to a number stays, so that the text is refused.
 */
export function undressed(typed: string, unitOfField = ''): Undressed {
  const unit = unitOfField.replaceAll(/\s/g, '');
  const signed = withoutUnit(withoutCurrency(typed.replace('\u2212', '-'), unit), unit);
  const inside = NEGATIVE.exec(signed)?.[1];
  const bare = withoutUnit(inside ?? signed, unit);
  const isPercent = bare.endsWith('%');
  return {
    text: isPercent ? bare.slice(0, -1) : bare,
    meant(value) {
      // By its digits, because a division of floats by 100 is not exact for all of them.
      const part = isPercent ? Number(`${value}e-2`) : value;
      return inside === undefined ? part : 0 - part;
    },
  };
}
