import { AppError } from '../../http/app-error.ts';
import type { Call } from '../../http/call.ts';
import { audit } from '../../security/audit.ts';
import { requireStillAdmin } from '../../security/still-admin.ts';
import type { SettingsDeps } from './settings-deps.ts';

const SPACING_MS = 10_000;

/** Answers before the restart; requests in flight are finished by the old worker. */
export async function restartService({ store, restarts, clock }: SettingsDeps, call: Call<'admin'>) {
  const wait = restarts.lastAt() + SPACING_MS - clock();
  // A longer wait means that the clock was ahead at the last restart, so it is ignored.
  if (wait > 0 && wait <= SPACING_MS)
    throw new AppError('TOO_MANY_REQUESTS', 'The service was restarted a moment ago. Please wait.', {
      retryAfter: Math.ceil(wait / 1000),
    });
  await store.transaction(async (nouns) => {
    await requireStillAdmin(nouns, call);
    await audit(nouns, call, clock(), { action: 'service.restart' });
  });
  restarts.request();
  return { status: 'restarting' };
}
