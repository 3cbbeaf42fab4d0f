import { fieldTypeNamed, readText, textOf, textRefusal } from '@kaptain/contract/fields';

/** A value as it is edited: texts as they are, all others as JSON. */
export const editedText = (value: unknown): string =>
  value === undefined || value === null ? '' : textOf(value);

/** An object, or a list of objects, is a value of no type; it is edited as JSON. */
const isOfNoType = (type: string, before: unknown) =>
  typeof before === 'object' && before !== null && fieldTypeNamed(type).canonical(before) === undefined;

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The value of an edited text; an unchanged one stays exactly as it was, whatever its type. */
export function editedValue(type: string, text: string, before: unknown): unknown {
  if (text === editedText(before)) return before;
  if (text === '') return null;
  return isOfNoType(type, before) ? jsonIn(text) : readText(fieldTypeNamed(type), text);
}

/** Spec 5: what is wrong with an edited text; undefined when nothing is. */
export function editProblem(label: string, type: string, text: string, before: unknown): string | undefined {
  if (text === editedText(before) || editedValue(type, text, before) !== undefined) return undefined;
  return `${label} ${isOfNoType(type, before) ? 'is not valid JSON!' : textRefusal(fieldTypeNamed(type), text)}`;
}
