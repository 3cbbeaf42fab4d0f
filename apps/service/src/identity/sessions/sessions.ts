import type { Nouns, SessionRecord, Store, UserRecord } from '@kaptain/store';
import type { Call, SessionCaller } from '../../base/call/call.ts';
import type { Settings } from '../../base/config/settings.ts';
import { hashToken, newToken } from '../../base/secrets/tokens.ts';
import { isFromFuture } from '../../base/time/clock.ts';
import { hasSecondFactor } from '../second-factor/second-factor.ts';
import { endSession } from './revoke.ts';

const HOUR = 3_600_000;
const sessionRules = {
  /** Spec 9: 24 hours, also when signExpiresIn is 0. */
  defaultLifeMs: 24 * HOUR,
  idleMs: 8 * HOUR,
  perUser: 20,
  seenEveryMs: 60_000,
} as const;

/** A sign-in at the provider of the company, which may be older than the session. */
export interface SignedInBefore {
  provenAt: string | undefined;
}

export interface Sessions {
  /** Called in the unit of work of the login; the token is answered once and only its hash is stored. */
  create(
    nouns: Nouns,
    user: UserRecord,
    call: Call,
    byProvider?: SignedInBefore,
  ): Promise<{ token: string; id: string }>;
  find(token: string): Promise<SessionCaller | undefined>;
  /** For tickets issued to a session earlier; does not update `lastSeenAt`. */
  findById(id: string): Promise<SessionCaller | undefined>;
}

/** A session created in the future counts as ended: it would last longer by as much as the clock was ahead. */
export const hasEnded = ({ createdAt, expiresAt, lastSeenAt }: SessionRecord, now: number): boolean =>
  Date.parse(expiresAt) <= now ||
  Math.abs(now - Date.parse(lastSeenAt)) >= sessionRules.idleMs ||
  isFromFuture(createdAt, now);

/** Keeps the number of sessions per user: removes the ended ones, then the oldest. */
async function makeRoom(nouns: Nouns, userId: string, now: number): Promise<void> {
  const all = await nouns.sessions.findBy('userId', userId);
  const [ended, live] = [
    all.filter((session) => hasEnded(session, now)),
    all.filter((session) => !hasEnded(session, now)),
  ];
  const tooMany = live.slice(0, Math.max(0, live.length - sessionRules.perUser + 1));
  for (const { id } of [...ended, ...tooMany]) await endSession(nouns, userId, id);
}

/** Of a session by the provider without a stated time: it opens nothing that asks for a proof. */
const NEVER = new Date(0).toISOString();

const callerOf = (
  user: UserRecord,
  { id, createdAt, isByProvider, provenAt = isByProvider ? NEVER : createdAt }: SessionRecord,
): SessionCaller => ({
  userId: user.id,
  username: user.username,
  role: user.role,
  isCreate: user.isCreate,
  isFirstAdmin: user.isFirstAdmin,
  sessionId: id,
  provenAt,
  // The provider asks for a second factor itself.
  hasSecondFactor: isByProvider === true || hasSecondFactor(user),
  isByProvider: isByProvider === true,
});

interface Deps {
  store: Store;
  settings: Settings;
  clock: () => number;
  /** Checks a sign-in with the provider in the background, when that is due. */
  recheck: (session: SessionRecord) => void;
}

export function createSessions({ store, settings, clock, recheck }: Deps): Sessions {
  /** When `lastSeenAt` of a session was last written, so that parallel requests write it once. */
  const seen = new Map<string, number>();

  /** Includes the time in memory, which may not have been written on a full disk. */
  function asSeen(session: SessionRecord): SessionRecord {
    const last = seen.get(session.id);
    if (last === undefined || last <= Date.parse(session.lastSeenAt)) return session;
    return { ...session, lastSeenAt: new Date(last).toISOString() };
  }

  function touch({ id, lastSeenAt }: SessionRecord, now: number): void {
    const isRecent = (time: number) => Math.abs(now - time) < sessionRules.seenEveryMs;
    if (isRecent(Date.parse(lastSeenAt)) || isRecent(seen.get(id) ?? 0)) return;
    if (seen.size > 10_000) seen.clear();
    seen.set(id, now);
    // Neither awaited nor required: the call succeeds on a full disk and during a revocation.
    store.sessions.patch(id, { lastSeenAt: new Date(now).toISOString() }).catch(() => undefined);
  }

  /** Removes a session from the future, which would be valid again later. Not required, as above. */
  const forget = ({ id }: SessionRecord) => void store.sessions.remove(id).catch(() => undefined);

  return {
    async create(nouns, user, call, byProvider) {
      const now = clock();
      await makeRoom(nouns, user.id, now);
      const token = newToken();
      const life = settings.current().sessionLifeMs || sessionRules.defaultLifeMs;
      const { id } = await nouns.sessions.insert({
        tokenHash: hashToken(token),
        userId: user.id,
        createdAt: new Date(now).toISOString(),
        lastSeenAt: new Date(now).toISOString(),
        expiresAt: new Date(now + life).toISOString(),
        ip: call.ip,
        userAgent: call.userAgent.slice(0, 256).toWellFormed(),
        ...(byProvider && { isByProvider: true }),
        ...(byProvider?.provenAt !== undefined && { provenAt: byProvider.provenAt }),
      });
      return { token, id };
    },
    async find(token) {
      const found = await store.sessionWithUser(hashToken(token));
      if (!found) return undefined;
      const now = clock();
      if (isFromFuture(found.session.createdAt, now)) forget(found.session);
      if (hasEnded(asSeen(found.session), now)) return undefined;
      touch(found.session, now);
      if (found.session.isByProvider) recheck(found.session);
      return { ...callerOf(found.user, found.session), user: found.user, mark: found.mark };
    },
    async findById(id) {
      const session = await store.sessions.get(id);
      if (!session || hasEnded(asSeen(session), clock())) return undefined;
      // Tokens of the extension live on a session whose own token is no longer used.
      if (session.isByProvider) recheck(session);
      const user = await store.users.get(session.userId);
      return user && { ...callerOf(user, session), user };
    },
  };
}
