import { fieldTypeNamed, isThread } from '@kaptain/contract/fields';
import { mayHave } from '../fields/may-have.ts';
import { boundNamesOf } from './bound-names.ts';
import type { FieldRow } from './rule-values.ts';

const isSet = (text: string | undefined): boolean => text !== undefined && text.trim() !== '';

function lostBounds({ type, otherBounds = {} }: FieldRow): string[] {
  const { boundedAs } = fieldTypeNamed(type);
  return Object.entries(otherBounds)
    .filter(([kind]) => kind !== boundedAs || isThread(type))
    .flatMap(([kind, { min, max }]) => {
      const [least, most] = boundNamesOf(kind);
      return [isSet(min) && least, isSet(max) && most];
    })
    .filter((name) => name !== false);
}

/** What was set for a field and is not saved, because its type, or another rule, excludes it. */
export function lostRules(row: FieldRow): string[] {
  const has = mayHave(row.type);
  const isPlain = isThread(row.type);
  const isFrom = row.choicesFrom !== undefined;
  const hasChoices = row.choices?.some(({ value }) => isSet(value)) ?? false;
  const lost: (string | false | undefined)[] = [
    isPlain && row.required && 'Required',
    isPlain && row.writeOnce && 'Write once',
    ...lostBounds(row),
    isSet(row.decimals) && !has('decimals') && 'Decimals',
    isSet(row.unit) && !has('unit') && 'Unit',
    row.thousands && !has('thousands') && 'Show thousands',
    isSet(row.pattern) && !has('pattern') && 'Pattern',
    hasChoices && (isFrom || !has('choices')) && 'Choices',
    isFrom && !has('choicesFrom') && isSet(row.choicesFrom?.field) && 'Field of the choices',
    row.choicesBy?.field !== undefined && (isFrom || !has('choicesBy')) && 'Choices depend on',
    isPlain && isSet(row.default) && 'Default',
  ];
  return lost.filter((name) => typeof name === 'string');
}
