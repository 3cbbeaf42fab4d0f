export { isEmpty, textOf } from './any-value.ts';
export { showTime } from './calendar.ts';
export {
  type ComparedAs,
  type EnteredAs,
  type FieldValue,
  type QvdCell,
  type StoredAs,
} from './field-type.ts';
export { partsOf } from './list.ts';
export { type FieldType, fieldTypeNamed, fieldTypeNames, fieldTypes } from './registry.ts';
export { isThread } from './thread.ts';
