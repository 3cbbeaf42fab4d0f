import type { Nouns } from '@kaptain/store';
import type { SessionCaller } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';

/**
 * Called inside the unit of work: a caller who has lost their session or role since the request arrived changes
 * nothing.
 */
export async function requireStillAdmin(nouns: Nouns, { caller }: { caller: SessionCaller }): Promise<void> {
  if (!(await nouns.sessions.get(caller.sessionId))) throw new AppError('NOT_LOGGED_IN');
  const user = await nouns.users.get(caller.userId);
  if (user?.role !== 'ADMIN') throw new AppError('FORBIDDEN');
}
