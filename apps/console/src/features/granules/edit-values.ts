import { type RuledField, readField, rowCheck, shownName } from '@kaptain/contract/field-rules';
import { fieldTypeNamed, textOf } from '@kaptain/contract/fields';
import { personLocale } from '../../shared/fields/person-locale.ts';

type Data = Readonly<Record<string, unknown>>;

/** A field of a granule while it is edited, and the value that it had before. */
export interface EditedField {
  field: RuledField;
  before: unknown;
}

/** A value as it is edited: as the person of this browser writes it; one of another type as text or JSON. */
export function editedText(field: RuledField, value: unknown): string {
  if (value === undefined || value === null) return '';
  const { canonical, show } = fieldTypeNamed(field.type);
  const isWritten = typeof value === 'string' || typeof value === 'number';
  return isWritten && canonical(value) !== undefined ? show(value, personLocale()) : textOf(value);
}

/** Whether a stored value is of another type than its field: it is edited as a text. */
export const isOfOtherType = ({ field, before }: EditedField): boolean =>
  before !== undefined && before !== null && fieldTypeNamed(field.type).canonical(before) === undefined;

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The value of an edited text, or why it has none. An unchanged text stands for the value that was there, whatever its type. */
function readEdited(edited: EditedField, text: string): { value: unknown } | { message: string } {
  const { field, before } = edited;
  if (text === editedText(field, before)) return { value: before };
  // An object, or a list of objects, is a value of no type; it is edited as JSON.
  if (text === '' || typeof before !== 'object' || !isOfOtherType(edited))
    return readField(field, text, personLocale());
  const value = jsonIn(text);
  return value === undefined ? { message: `${shownName(field)} is not valid JSON!` } : { value };
}

/** The value of an edited text without a problem. */
export function editedValue(edited: EditedField, text: string): unknown {
  const read = readEdited(edited, text);
  return 'value' in read ? read.value : undefined;
}

/**
 * What is wrong with an edited text, beside the field on which its choices depend; undefined when nothing is. A value that stays as it
 * is stored is never wrong: a rule may be newer than the value.
 */
export function editProblem(
  edited: EditedField,
  text: string,
  other?: EditedField & { text: string },
): string | undefined {
  const read = readEdited(edited, text);
  if ('message' in read) return read.message;
  const { name } = edited.field;
  const data = (value: unknown, otherValue: unknown): Data => ({
    ...(other && { [other.field.name]: otherValue }),
    [name]: value,
  });
  const { refusals } = rowCheck([edited.field]).check(
    data(read.value, other && editedValue(other, other.text)),
    data(edited.before, other?.before),
  );
  return refusals.find((refusal) => refusal.field === name)?.message;
}
