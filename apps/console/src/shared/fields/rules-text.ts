import type { RuledField } from '@kaptain/contract/field-rules';
import { fieldTypeNamed } from '@kaptain/contract/fields';
import { shownText } from './shown-text.ts';

const NAMES_SHOWN = 5;

/** The first names of a list, and how many more there are. */
const firstOf = (names: readonly string[]): string =>
  names.length > NAMES_SHOWN
    ? `${names.slice(0, NAMES_SHOWN).join(', ')} and ${names.length - NAMES_SHOWN} more`
    : names.join(', ');

function boundsText(field: RuledField): string | undefined {
  const { min, max, type } = field;
  if (min === undefined && max === undefined) return undefined;
  const { boundedAs } = fieldTypeNamed(type);
  const isCount = boundedAs === 'characters' || boundedAs === 'entries';
  const shown = (bound: number | string) => (isCount ? String(bound) : shownText(field, bound));
  const noun = isCount ? ` ${boundedAs}` : '';
  if (min !== undefined && max !== undefined) return `${shown(min)} to ${shown(max)}${noun}`;
  return min === undefined ? `at most ${shown(max ?? 0)}${noun}` : `at least ${shown(min)}${noun}`;
}

/** The rules of a field, each in a few words. */
export function rulesText(field: RuledField): string[] {
  const { required, writeOnce, decimals, unit, pattern, choices, choicesFrom, choicesBy } = field;
  const texts: (string | false | undefined)[] = [
    required && 'required',
    writeOnce && 'write once',
    boundsText(field),
    decimals !== undefined && `${decimals} ${decimals === 1 ? 'decimal' : 'decimals'}`,
    unit && `in ${unit}`,
    pattern && `pattern ${pattern}`,
    choices && choices.length > 0 && firstOf(choices.map(({ value }) => value)),
    choicesFrom && `choices from ${choicesFrom.field} elsewhere`,
    choicesBy && `choices by ${choicesBy.field}`,
    field.default !== undefined && `default ${shownText(field, field.default)}`,
  ];
  return texts.filter((text) => typeof text === 'string').filter((text) => text !== '');
}
