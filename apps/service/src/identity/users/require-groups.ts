import type { Nouns } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';

/** Refuses unknown groups, so that an outdated form does not drop a membership silently. */
export async function requireGroups(nouns: Nouns, ids: readonly string[]): Promise<void> {
  for (const id of ids)
    if (!(await nouns.groups.get(id))) throw new AppError('BAD_INPUT', 'A chosen group does not exist.');
}
