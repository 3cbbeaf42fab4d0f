import type { FieldsCheck } from '@kaptain/contract/misfits';
import type { changeOf } from '../../../shared/kapsule-form/kapsule-values.ts';

export type Change = ReturnType<typeof changeOf>;

/** What the check of the stored values has found, or why it has failed, and the change that waits for an answer. */
export interface Checked {
  change: Change;
  found: FieldsCheck | { failure: string };
}
