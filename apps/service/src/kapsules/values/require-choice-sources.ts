import { isDeepStrictEqual } from 'node:util';
import type { KapsuleStructure } from '@kaptain/contract';
import type { Nouns } from '@kaptain/store';
import type { Caller } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { seen } from '../kapsules/kapsule-access.ts';

type Fields = KapsuleStructure['fields'];

/**
 * Refuses choices of a kapsule that the caller may not read, because every writer of this kapsule sees them. A source that the field
 * has already is not asked about again.
 */
export async function requireChoiceSources(
  nouns: Nouns,
  fields: Fields,
  before: Fields,
  caller: Caller,
): Promise<void> {
  for (const { name, choicesFrom } of fields) {
    const earlier = before.find((field) => field.name === name)?.choicesFrom;
    if (!choicesFrom || isDeepStrictEqual(choicesFrom, earlier)) continue;
    const source = await seen(nouns, choicesFrom.kapsuleId, caller);
    if (!source?.kapsule.fields.some((field) => field.name === choicesFrom.field))
      throw new AppError(
        'BAD_INPUT',
        `The field ${name}: its choices come from a field that does not exist, or that you may not see.`,
      );
  }
}
