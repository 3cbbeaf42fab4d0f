import type { Nouns, SessionRecord, Store } from '@kaptain/store';
import type { Call } from '../http/call.ts';
import type { Log } from '../logging/logs.ts';
import { audit } from './audit.ts';
import type { UsedProvider } from './provider.ts';
import type { LogoutToken, Tokens } from './provider-client.ts';
import { endSession } from './revoke.ts';
import { seal, unseal } from './sealing.ts';
import { subjectKeyOf } from './subject-key.ts';

type KeptTokens = Pick<Tokens, 'idToken' | 'refreshToken'>;

/** A sign-in that the browser still has to pick up. */
export interface PendingSignIn extends KeptTokens {
  sid: string | null;
  binding: string;
}

interface Deps {
  store: Store;
  provider: () => UsedProvider | undefined;
  key: () => Buffer;
  log: Log;
  clock: () => number;
}

const PENDING = 'pending sign-in';
const place = (sessionId: string) => `tokens of session ${sessionId}`;
const host = { caller: undefined, ip: '', requestId: '' };

/** What the service keeps of sign-ins with the provider: sealed tokens per session, to check and to end them there. */
export function createProviderGrants({ store, provider, key, log, clock }: Deps) {
  /** When this instance last looked at a session, so that the store is not asked on every request. */
  const looked = new Map<string, number>();

  async function endOf(
    nouns: Nouns,
    session: SessionRecord,
    call: Pick<Call, 'caller' | 'ip' | 'requestId'>,
  ) {
    const user = await nouns.users.get(session.userId);
    if (!user || !(await endSession(nouns, user.id, session.id))) return 0;
    await audit(nouns, call, clock(), {
      action: 'session.endByProvider',
      actor: { id: null, username: 'provider' },
      target: { noun: 'user', id: user.id, name: user.username },
    });
    return 1;
  }

  /** One instance at a time checks a session: a refresh token that is used twice would end it. */
  const claim = (sessionId: string, everyMs: number) =>
    store.transaction(async (nouns) => {
      const [kept] = await nouns.providerSessions.findBy('sessionId', sessionId);
      if (!kept || Math.abs(clock() - Date.parse(kept.checkedAt)) < everyMs) return undefined;
      return nouns.providerSessions.patch(kept.id, { checkedAt: new Date(clock()).toISOString() });
    });

  async function check(
    session: SessionRecord,
    used: UsedProvider | undefined,
    everyMs: number,
  ): Promise<void> {
    const kept = await claim(session.id, everyMs);
    if (!kept) return;
    const text = unseal(key(), place(session.id), kept.sealedTokens);
    const { refreshToken, idToken } = (text === undefined ? {} : JSON.parse(text)) as Partial<KeptTokens>;
    if (used && refreshToken === undefined) return;
    const tokens = used && refreshToken !== undefined ? await used.client.refresh(refreshToken) : undefined;
    if (tokens === undefined) {
      await store.transaction((nouns) => endOf(nouns, session, host));
      return;
    }
    if (tokens === 'unknown') return;
    const next = { idToken: tokens.idToken || idToken, refreshToken: tokens.refreshToken ?? refreshToken };
    const sealedTokens = seal(key(), place(session.id), JSON.stringify(next));
    await store.providerSessions.patch(kept.id, { sealedTokens });
  }

  return {
    sealPending: ({ idToken, refreshToken, claims }: Tokens, binding: string): string => {
      const sid = typeof claims['sid'] === 'string' ? claims['sid'] : null;
      return seal(key(), PENDING, JSON.stringify({ idToken, refreshToken, sid, binding }));
    },
    openPending(data: string): PendingSignIn | undefined {
      const text = unseal(key(), PENDING, data);
      return text === undefined ? undefined : (JSON.parse(text) as PendingSignIn);
    },
    async keep(nouns: Nouns, userId: string, sessionId: string, pending: PendingSignIn): Promise<void> {
      const { idToken, refreshToken, sid } = pending;
      const sealedTokens = seal(key(), place(sessionId), JSON.stringify({ idToken, refreshToken }));
      const checkedAt = new Date(clock()).toISOString();
      await nouns.providerSessions.insert({ sessionId, userId, sid, sealedTokens, checkedAt });
    },
    /** Back-channel logout: ends the session the provider names, or all of the person. */
    end: ({ issuer, subject, sid }: LogoutToken, call: Call): Promise<number> =>
      store.transaction(async (nouns) => {
        const [user] =
          subject === undefined
            ? []
            : await nouns.users.findBy('subjectKey', subjectKeyOf({ issuer, subject }));
        const bySid = sid === undefined ? [] : await nouns.providerSessions.findBy('sid', sid);
        const kept =
          sid === undefined && user ? await nouns.providerSessions.findBy('userId', user.id) : bySid;
        let ended = 0;
        for (const { sessionId, userId } of kept) {
          if (subject !== undefined && userId !== user?.id) continue;
          const session = await nouns.sessions.get(sessionId);
          if (session) ended += await endOf(nouns, session, call);
        }
        return ended;
      }),
    /** Asks the provider now and then, in the background, whether the person is still signed in there. */
    recheck(session: SessionRecord): void {
      const used = provider();
      const everyMs = (used?.settings.recheckMinutes ?? 1) * 60_000;
      const last = looked.get(session.id) ?? Date.parse(session.createdAt);
      if (Math.abs(clock() - last) < everyMs) return;
      if (looked.size > 10_000) looked.clear();
      looked.set(session.id, clock());
      // A provider that does not answer ends no session.
      check(session, used, everyMs).catch((error: unknown) =>
        log.warn({ err: error }, 'a sign-in could not be checked with the provider'),
      );
    },
    async logoutUrl(sessionId: string, returnTo: string): Promise<string | undefined> {
      const [kept] = await store.providerSessions.findBy('sessionId', sessionId);
      const text = kept && unseal(key(), place(sessionId), kept.sealedTokens);
      const idToken = text === undefined ? '' : (JSON.parse(text) as KeptTokens).idToken;
      return idToken === '' ? undefined : provider()?.client.logoutUrl(idToken, returnTo);
    },
  };
}
export type ProviderGrants = ReturnType<typeof createProviderGrants>;
