import { authoritiesOf, includesAuthority } from '@kaptain/contract';
import { foldName, type Nouns } from '@kaptain/store';
import type { Caller } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { groupsOf } from './kapsule-access.ts';

/** A name needs a visible character. */
export function requireVisibleName(name: string): void {
  if (foldName(name) === '') throw new AppError('BAD_INPUT', 'Please use visible characters in the name!');
}

/**
 * The name must be unique among the kapsules that the caller can see, except the one that is renamed; names of others
 * are not revealed.
 */
export async function requireFreeName(
  nouns: Pick<Nouns, 'kapsules' | 'groups'>,
  name: string,
  caller: Caller,
  renamedId?: string,
): Promise<void> {
  const [namesakes, groups] = await Promise.all([
    nouns.kapsules.findBy('nameKey', foldName(name)),
    groupsOf(nouns, caller),
  ]);
  const others = namesakes.filter(({ id }) => id !== renamedId);
  const authorityOn = authoritiesOf(caller, groups);
  if (others.some((kapsule) => includesAuthority(authorityOn(kapsule), 'READ')))
    throw new AppError('CONFLICT', `${name} exists already. Please choose another name.`, {
      details: { field: 'name' },
    });
}
