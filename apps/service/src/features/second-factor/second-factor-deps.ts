import type { Store } from '@kaptain/store';
import type { Settings } from '../../config/settings.ts';
import type { Attempts } from '../../security/attempts.ts';
import type { Challenges } from '../../security/challenges.ts';
import type { Passkeys } from '../../security/passkeys.ts';
import type { Passwords } from '../../security/passwords.ts';
import type { SecondFactors } from '../../security/second-factor.ts';

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
