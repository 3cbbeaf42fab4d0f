import type { FieldFilter } from '@kaptain/contract';
import { fieldNamed, toCondition } from '@kaptain/contract/field-conditions';
import type { FieldCondition, KapsuleRecord, SortField } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';

const BY_FIELD = /^-?field:/;

/** Refuses every condition that is not on a field of the kapsule. */
export const conditionsOf = (filters: readonly FieldFilter[], kapsule: KapsuleRecord): FieldCondition[] =>
  filters.map((filter) => {
    const condition = toCondition(filter, kapsule);
    if ('problem' in condition) throw new AppError('BAD_INPUT', condition.problem);
    return condition;
  });

/** The field in `sort`; undefined when it names a built-in column. */
export function sortFieldOf(sort: string, kapsule: KapsuleRecord): SortField | undefined {
  if (!BY_FIELD.test(sort)) return undefined;
  const name = sort.replace(BY_FIELD, '');
  const field = fieldNamed(kapsule, name);
  if (!field) throw new AppError('BAD_INPUT', `There is no field ${JSON.stringify(name)}.`);
  return field;
}
