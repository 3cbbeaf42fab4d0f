import { shownName } from '@kaptain/contract/field-rules';
import type { Kapsule } from '@kaptain/contract/kapsules';
import type { Words } from '../../variants/variant.ts';
import { ruled } from './ruled-field.ts';
import { rulesText } from './rules-text.ts';
import { typeName } from './type-names.ts';

/** A field with its type and its rules in one line. */
export const fieldSummary = (field: Kapsule['fields'][number], words: Pick<Words, 'komment'>): string =>
  `${shownName(field)} (${[typeName(field.type, words), ...rulesText(ruled(field))].join(', ')})`;
