import type { FieldDefinition } from './field-type.ts';
import { text } from './text.ts';

/** The user name of an account, which never changes; the service checks that there is one. */
export const person: FieldDefinition = {
  ...text,
  earlier: 'text',
  enteredAs: 'person',
  readings: (typed) => [typed.trim() || null],
  refusal: 'is not a known person!',
};
