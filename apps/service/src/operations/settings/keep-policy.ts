import type { SettingsUpdate } from '@kaptain/contract';
import type { SessionCaller } from '../../base/call/call.ts';
import { Refusal } from '../../base/config/settings/refusal.ts';

/** The OAuth client of the tenant stays as long as the tenant does. */
function keepCloudClient({ SAAS, ...given }: SettingsUpdate['hosts'], before: SettingsUpdate['hosts']) {
  const { clientId } = before.SAAS ?? {};
  const isKept = clientId !== undefined && SAAS?.hostname === before.SAAS?.hostname;
  return { ...given, ...(SAAS && { SAAS: { ...(isKept && { clientId }), ...SAAS } }) };
}

function limitsOf({ settings }: SettingsUpdate): Partial<SettingsUpdate['settings']> {
  const { kapsulesPerCreator, definitionMiBPerCreator } = settings;
  return {
    ...(kapsulesPerCreator !== undefined && { kapsulesPerCreator }),
    ...(definitionMiBPerCreator !== undefined && { definitionMiBPerCreator }),
  };
}

/** A client that knows only SPEC's fields does not switch our extras off by leaving them out. */
export const keepPolicy = (given: SettingsUpdate, before: SettingsUpdate): SettingsUpdate => ({
  ...given,
  settings: { ...limitsOf(before), ...given.settings },
  security: { ...before.security, ...given.security },
  hosts: keepCloudClient(given.hosts, before.hosts),
});

/** An ADMIN who requires a second factor of every ADMIN needs one first, or the next call would be refused. */
export function requireOwnFactor(next: SettingsUpdate, before: SettingsUpdate, caller: SessionCaller): void {
  const isNew = next.security.adminsNeedSecondFactor === true && !before.security.adminsNeedSecondFactor;
  if (!isNew || caller.hasSecondFactor) return;
  throw new Refusal(
    'security.adminsNeedSecondFactor',
    'Set up your own second factor first, on the page My account.',
  );
}
