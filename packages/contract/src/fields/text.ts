import { anyToQvd, showAny } from './any-value.ts';
import type { FieldDefinition } from './field-type.ts';

export const text: FieldDefinition = {
  comparedAs: 'text',
  storedAs: 'text',
  enteredAs: 'text',
  boundedAs: 'characters',
  canonical: (value) => (typeof value === 'string' ? value : undefined),
  readings: (typed) => [typed.trim() === '' ? null : typed],
  refusal: 'is not a valid text!',
  show: showAny,
  fromQvd: ({ shown }) => shown,
  fromTextColumn: (stored) => stored,
  qvdColumn: 'text',
  toQvd: anyToQvd,
  inLoadScript: (field) => field,
};
