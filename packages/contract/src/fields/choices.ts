import type { FieldDefinition, FieldValue } from './field-type.ts';
import { list, partsOf } from './list.ts';

const textsIn = (value: unknown): string[] | undefined =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string') ? [...new Set(value)] : undefined;

/** Several of the choices that the field has. */
export const choices: FieldDefinition = {
  ...list,
  earlier: 'list',
  enteredAs: 'choices',
  canonical: textsIn,
  readings(typed): FieldValue[] {
    const listed = typed.trimStart().startsWith('[') ? list.readings(typed)[0] : undefined;
    // A choice may begin with a bracket itself.
    const parts = listed === undefined ? partsOf(typed) : textsIn(listed);
    if (parts === undefined) return [];
    return [parts.length === 0 ? null : parts];
  },
  refusal: 'is not one of the choices!',
};
