import { comparisonOf } from '@kaptain/contract/field-conditions';
import type { FieldFilter } from '@kaptain/contract/field-filters';
import { fieldTypeNamed, readText, textRefusal } from '@kaptain/contract/fields';
import { personLocale } from '../../shared/fields/person-locale.ts';
import { toField } from '../../shared/time-span.ts';

/** A condition while it is being edited: all of it text. */
export interface FilterDraft {
  field: string;
  is: string;
  text: string;
  from: string;
  to: string;
}

type Choice = { value: string; label: string };
/** What is known of the field of a condition; a unit may stand behind a number. */
type FilteredField = { type: string; unit?: string | undefined; label?: string | undefined };

const empties: Choice[] = [
  { value: 'empty', label: 'is empty' },
  { value: 'filled', label: 'is not empty' },
];
const range = { value: 'between', label: 'is between' };

const isAnswer = (type: string) => fieldTypeNamed(type).enteredAs === 'answer';

/** The conditions that a field of this type can have. */
export function choicesOf(type: string): Choice[] {
  if (isAnswer(type))
    return [{ value: 'true', label: 'is yes' }, { value: 'false', label: 'is no' }, ...empties];
  if (comparisonOf(type).range) return [range, ...empties];
  return [{ value: 'contains', label: 'contains' }, ...empties];
}

/** The kind of browser field for a bound. */
export function boundInputOf(type: string): 'text' | 'date' | 'datetime-local' {
  const { enteredAs } = fieldTypeNamed(type);
  return enteredAs === 'date' || enteredAs === 'datetime-local' ? enteredAs : 'text';
}

export const newDraft = (field: string, type: string): FilterDraft => ({
  field,
  is: choicesOf(type)[0]?.value ?? 'empty',
  text: '',
  from: '',
  to: '',
});

function boundText(bound: string | number | undefined, type: string): string {
  if (bound === undefined) return '';
  if (boundInputOf(type) === 'datetime-local') return toField(String(bound));
  return fieldTypeNamed(type).show(bound, personLocale());
}

export function draftOf(filter: FieldFilter, type: string): FilterDraft {
  const draft = { ...newDraft(filter.field, type), is: filter.is as string };
  if (filter.is === 'contains')
    return isAnswer(type) ? { ...draft, is: filter.text } : { ...draft, text: filter.text };
  if (filter.is !== 'between') return draft;
  return { ...draft, from: boundText(filter.from, type), to: boundText(filter.to, type) };
}

/** Spec 5: what is wrong with an edited condition; undefined when nothing is. */
export function draftProblem(
  { field, is, text, from, to }: FilterDraft,
  { type, unit, label }: FilteredField,
): string | undefined {
  const name = label || field;
  const locale = { ...personLocale(), unit };
  if (is === 'contains') return text.trim() === '' ? `${name} is required!` : undefined;
  if (is !== 'between') return undefined;
  if (from.trim() === '' && to.trim() === '') return `${name} is required!`;
  const definition = fieldTypeNamed(type);
  const unread = [from, to].find((text) => readText(definition, text, locale) === undefined);
  return unread === undefined ? undefined : `${name} ${textRefusal(definition, unread, locale)}`;
}

const boundOf = (text: string, { type, unit }: FilteredField) =>
  (readText(fieldTypeNamed(type), text, { ...personLocale(), unit }) ?? undefined) as
    | string
    | number
    | undefined;

/** The condition of a draft without a problem. */
export function filterOf({ field, is, text, from, to }: FilterDraft, of: FilteredField): FieldFilter {
  if (is === 'empty' || is === 'filled') return { field, is };
  if (is !== 'between') return { field, is: 'contains', text: isAnswer(of.type) ? is : text.trim() };
  const [least, most] = [boundOf(from, of), boundOf(to, of)];
  return {
    field,
    is,
    ...(least !== undefined && { from: least }),
    ...(most !== undefined && { to: most }),
  };
}
