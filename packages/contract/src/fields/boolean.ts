import { anyToQvd, readInFile, showAny } from './any-value.ts';
import type { FieldDefinition } from './field-type.ts';

const YES = new Set(['yes', 'true', 'ja', 'oui', 'si', 'sí', 'x', '1', '-1']);
const NO = new Set(['no', 'false', 'nein', 'non', '0']);

const readings: FieldDefinition['readings'] = (typed) => {
  const word = typed.trim().toLowerCase();
  if (word === '') return [null];
  if (YES.has(word)) return [true];
  return NO.has(word) ? [false] : [];
};

export const boolean: FieldDefinition = {
  comparedAs: 'boolean',
  storedAs: 'boolean',
  enteredAs: 'answer',
  canonical: (value) => (typeof value === 'boolean' ? value : undefined),
  readings,
  refusal: 'is neither yes nor no!',
  show: showAny,
  fromQvd: ({ number, text }) => (number === null ? readInFile({ readings }, text) : number !== 0),
  fromTextColumn: (stored) => (stored === 'true' || stored === 'false' ? stored === 'true' : stored),
  qvdColumn: 'integer',
  toQvd: anyToQvd,
  inLoadScript: (field) => `If(${field} = 'true', True(), If(${field} = 'false', False()))`,
};
