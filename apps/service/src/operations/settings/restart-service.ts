import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { requireStillAdmin } from '../../identity/sessions/require-still-admin.ts';
import { RESTART_SPACING_MS } from '../tuning.ts';
import type { SettingsDeps } from './settings-deps.ts';

/** Restarts all instances on the database, one after the other. Answers first; old workers finish requests in flight. */
export async function restartService({ store, shared, restarts, clock }: SettingsDeps, call: Call<'admin'>) {
  const lastAt = shared ? await shared.instances.lastRestartAt() : restarts.lastAt();
  const wait = lastAt + RESTART_SPACING_MS - clock();
  // A longer wait means that the clock was ahead at the last restart, so it is ignored.
  if (wait > 0 && wait <= RESTART_SPACING_MS)
    throw new AppError('TOO_MANY_REQUESTS', 'The service was restarted a moment ago. Please wait.', {
      retryAfter: Math.ceil(wait / 1000),
    });
  await store.transaction(async (nouns) => {
    await requireStillAdmin(nouns, call);
    await audit(nouns, call, clock(), { action: 'service.restart' });
    await shared?.instances.askRestart(nouns, clock());
  });
  if (shared) void shared.instances.look();
  else restarts.request();
  return { status: 'restarting' };
}
