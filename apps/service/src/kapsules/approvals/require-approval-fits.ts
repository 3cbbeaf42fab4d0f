import type { Approval, KapsuleStructure } from '@kaptain/contract';
import { isThread } from '@kaptain/contract/fields';
import type { AppError } from '../../base/errors/app-error.ts';

type Fields = KapsuleStructure['fields'];

/** A field that was renamed or removed would no longer need the approval that was asked for it. */
export function requireApprovalFits(
  approval: Pick<Approval, 'fields'> | null | undefined,
  fields: Fields,
  refuse: (message: string) => AppError,
): void {
  const types = new Map(fields.map(({ name, type }) => [name, type]));
  for (const name of approval?.fields ?? []) {
    const type = types.get(name);
    if (type === undefined)
      throw refuse(`Changes of the field ${name} need approval, and there is no such field.`);
    if (isThread(type))
      throw refuse(`Changes of the field ${name} need approval, and comments can’t have it.`);
  }
}
