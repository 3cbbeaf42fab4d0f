import { fieldTypeNamed } from '@kaptain/contract/fields';
import { mayHave } from '../fields/may-have.ts';
import { type FieldRow, newChoice } from './rule-values.ts';

/** The row with another type. Bounds of characters are none of a number: they wait for a type that bounds the same again. */
export function switchedRow(row: FieldRow, type: string): FieldRow {
  const [from, to] = [row.type, type].map((name) => fieldTypeNamed(name).boundedAs);
  const { min, max, choices } = row;
  const otherBounds = { ...row.otherBounds, ...(from && { [from]: { min, max } }) };
  const bounds = to ? otherBounds[to] : undefined;
  return {
    ...row,
    type,
    otherBounds,
    min: bounds?.min,
    max: bounds?.max,
    // A choice needs at least one: the first one is there to be filled in.
    choices: choices ?? (mayHave(type)('choices') ? [newChoice({ value: '' })] : undefined),
  };
}
