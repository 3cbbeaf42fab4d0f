export { isEmpty, textOf } from './any-value.ts';
export { showTime } from './calendar.ts';
export {
  type ComparedAs,
  type EnteredAs,
  english,
  type FieldDefinition,
  type FieldLocale,
  type FieldValue,
  inFiles,
  type QvdCell,
  type StoredAs,
} from './field-type.ts';
export { isOnePart, partsOf } from './list.ts';
export { type AppLocale, localeOf, localeOfApp } from './locale.ts';
export { readText, textRefusal, twoReadings } from './read-text.ts';
export { type FieldType, fieldTypeNamed, fieldTypeNames, fieldTypes } from './registry.ts';
export { isThread } from './thread.ts';
