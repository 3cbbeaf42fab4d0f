import type { SettingsUpdate } from '@kaptain/contract';
import type { Store } from '@kaptain/store';
import { Refusal } from '../../config/settings/refusal.ts';
import { hasSecondFactor } from '../../security/second-factor.ts';

/** A client that knows only SPEC's fields does not switch the rules for second factors off by leaving them out. */
export const keepPolicy = (given: SettingsUpdate, before: SettingsUpdate): SettingsUpdate => ({
  ...given,
  security: { ...before.security, ...given.security },
});

/** Who requires a second factor of every ADMIN has one: otherwise the next call would be refused. */
export async function requireOwnFactor(
  store: Store,
  next: SettingsUpdate,
  before: SettingsUpdate,
  userId: string,
): Promise<void> {
  const isNew = next.security.adminsNeedSecondFactor === true && !before.security.adminsNeedSecondFactor;
  if (!isNew) return;
  const user = await store.users.get(userId);
  if (user && hasSecondFactor(user)) return;
  throw new Refusal(
    'security.adminsNeedSecondFactor',
    'Set up your own second factor first, on the page My account.',
  );
}
