import type { RuledField } from '@kaptain/contract/field-rules';
import { type FieldType, fieldTypes } from '@kaptain/contract/fields';
import type { Kapsule } from '@kaptain/contract/kapsules';

const isKnown = (type: string): type is FieldType => Object.hasOwn(fieldTypes, type);

/** A field of a kapsule with its rules; a type that is not known here counts as text. */
export const ruled = (field: Kapsule['fields'][number]): RuledField => ({
  ...field,
  type: isKnown(field.type) ? field.type : 'text',
});
