import type { Nouns, SecondFactor, UserRecord } from '@kaptain/store';
import type { Call } from '../../base/call/call.ts';
import type { Settings } from '../../base/config/settings.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { presentCaller } from '../sessions/present-caller.ts';
import { mustSetUpFactor } from './identity.ts';
import { hasSecondFactor, noFactor } from './second-factor.ts';

export type OwnCall = Call<'loggedIn'>;

const REQUIRED = 'Every ADMIN needs a second factor: add another one before you remove this one.';

export const targetOf = ({ id, username }: UserRecord) => ({ noun: 'user', id, name: username });

/** The caller’s own record, read again in the unit of work. */
export const presentUser = async (nouns: Nouns, { caller }: OwnCall): Promise<UserRecord> =>
  (await presentCaller(nouns, caller)).user;

/** The factors after a removal: recovery codes alone are no factor. Refuses to remove the last required one. */
export function factorLeft({ role }: UserRecord, left: SecondFactor, settings: Settings): SecondFactor {
  const hasFactorLeft = hasSecondFactor({ secondFactor: left });
  if (mustSetUpFactor({ role, hasSecondFactor: hasFactorLeft }, settings))
    throw new AppError('CONFLICT', REQUIRED);
  return hasFactorLeft ? left : noFactor;
}
