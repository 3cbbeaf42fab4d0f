import type { UserSession } from '@kaptain/contract';
import type { Store } from '@kaptain/store';
import { hasEnded } from './sessions.ts';

/** The live sessions of a user, newest first; lists every field by name, so that no other field is ever answered. */
export async function liveSessions(
  store: Store,
  userId: string,
  now: number,
  currentId: string,
): Promise<UserSession[]> {
  const sessions = await store.sessions.findBy('userId', userId);
  return sessions
    .filter((session) => !hasEnded(session, now))
    .toReversed()
    .map(({ id, createdAt, lastSeenAt, expiresAt, ip, userAgent }) => ({
      _id: id,
      createdAt,
      lastSeenAt,
      expiresAt,
      ip,
      userAgent,
      current: id === currentId,
    }));
}
