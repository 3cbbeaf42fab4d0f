import { fieldTypeNamed } from '@kaptain/contract/fields';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { rowOf, ruleCount } from '../../shared/kapsule-form/rule-values.ts';

/** Whether earlier versions of the service do not know all of this field. */
export const isNewer = (field: Kapsule['fields'][number]): boolean =>
  fieldTypeNamed(field.type).earlier !== undefined || ruleCount(rowOf(field)) > 0;
