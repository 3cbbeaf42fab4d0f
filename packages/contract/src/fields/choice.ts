import type { FieldDefinition } from './field-type.ts';
import { text } from './text.ts';

/** One of the choices that the field has; which ones is a rule of the field. */
export const choice: FieldDefinition = {
  ...text,
  earlier: 'text',
  enteredAs: 'choice',
  readings: (typed) => [typed.trim() || null],
  refusal: 'is not one of the choices!',
};
