import type { RuledField } from '@kaptain/contract/field-rules';
import { fieldTypeNamed } from '@kaptain/contract/fields';
import { personLocale } from './person-locale.ts';

/** More than any number has. */
const MOST_DECIMALS = 20;
const NO_BREAK = '\u00a0';

const formats = new Map<string, Intl.NumberFormat>();

function numberFormat({ decimals = 0, thousands = false }: Pick<RuledField, 'decimals' | 'thousands'>) {
  const name = `${navigator.language} ${decimals} ${thousands}`;
  // A format takes far longer to make than to use, and a table has one for each cell.
  const format =
    formats.get(name) ??
    new Intl.NumberFormat(navigator.language, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: MOST_DECIMALS,
      useGrouping: thousands,
    });
  formats.set(name, format);
  return format;
}

/** A value in one line, as the person of this browser writes it: with the decimals, the thousands and the unit of its field. */
export function shownText(field: RuledField, value: unknown): string {
  const definition = fieldTypeNamed(field.type);
  if (definition.enteredAs !== 'decimal' || typeof value !== 'number')
    return definition.show(value, personLocale());
  const text = numberFormat(field).format(value);
  return field.unit ? `${text}${NO_BREAK}${field.unit}` : text;
}
