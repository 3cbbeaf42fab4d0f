import type { Store } from '@kaptain/store';
import type { Settings } from '../../base/config/settings.ts';
import type { Attempts } from '../passwords/attempts.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { Challenges } from '../sessions/challenges.ts';
import type { Passkeys } from './passkeys.ts';
import type { SecondFactors } from './second-factor.ts';

export interface SecondFactorDeps {
  store: Store;
  settings: Settings;
  passwords: Passwords;
  attempts: Attempts;
  challenges: Challenges;
  secondFactors: SecondFactors;
  passkeys: Passkeys;
  clock: () => number;
}
