import type { Field } from '@kaptain/contract';
import { fieldTypes } from '@kaptain/contract/fields';
import type { FormChange } from './noun.ts';

type Stored = Partial<Field> & Pick<Field, '_id' | 'name' | 'type'>;

/** A field as versions without rules know it. */
const bare = ({ _id, name, type }: Stored): Stored => ({ _id, name, type: fieldTypes[type].earlier ?? type });

const isSame = (one: Stored, other: Stored): boolean => one.name === other.name && one.type === other.type;

/**
 * Versions of before refuse fields of types that they do not know. The whole fields stay beside those that they read, so that a kapsule that
 * such a version has changed keeps the rules of the fields that it left alone.
 */
export const ruledFields: FormChange = {
  toOlder({ fields, ...document }) {
    const whole = fields as Stored[];
    return { ...document, fields: whole.map(bare), ruledFields: whole };
  },
  fromOlder({ ruledFields, ...document }) {
    // Most kapsules have no rules; what is damaged is found by the checks of the document.
    const { fields } = document;
    if (!Array.isArray(fields) || !Array.isArray(ruledFields)) return document;
    const ruled = new Map((ruledFields as Stored[]).map((field) => [field._id, field]));
    const whole = (fields as Stored[]).map((field) => {
      const before = ruled.get(field._id);
      return before && isSame(bare(before), field) ? before : field;
    });
    return { ...document, fields: whole };
  },
};
