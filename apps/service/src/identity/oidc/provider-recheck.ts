import type { Nouns, SessionRecord, Store, UserRecord } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Log } from '../../base/logging/logs.ts';
import { endSession } from '../sessions/revoke.ts';
import { followClaims } from './follow-claims.ts';
import type { UsedProvider } from './provider.ts';
import { type Claims, mappedAccess } from './provider-claims.ts';
import { clientKeyOf, openTokens, sealTokens } from './provider-tokens.ts';
import { subjectKeyOf } from './subject-key.ts';

interface Deps {
  store: Store;
  provider: () => UsedProvider | undefined;
  key: () => Buffer;
  log: Log;
  clock: () => number;
}

/** A check has no request: the provider is its actor. */
const call = { caller: undefined, ip: '', requestId: '' };
const actor = { id: null, username: 'provider' };

const isOf = (user: UserRecord, { iss, sub }: Claims): boolean =>
  user.subjectKey === subjectKeyOf({ issuer: String(iss), subject: String(sub) });

/** Asks the provider now and then whether a person is still signed in there, and what they may do. */
export function createProviderRecheck({ store, provider, key, log, clock }: Deps) {
  /** When this instance last looked at a session, so that the store is not asked on every request. */
  const looked = new Map<string, number>();

  async function end(nouns: Nouns, { id, userId }: SessionRecord): Promise<void> {
    const user = await nouns.users.get(userId);
    if (!user || !(await endSession(nouns, userId, id))) return;
    const target = { noun: 'user', id: userId, name: user.username };
    await audit(nouns, call, clock(), { action: 'session.endByProvider', actor, target });
  }

  /** One instance at a time checks a session: a refresh token that is used twice would end it. */
  const claim = (sessionId: string, everyMs: number) =>
    store.transaction(async (nouns) => {
      const [kept] = await nouns.providerSessions.findBy('sessionId', sessionId);
      if (!kept || Math.abs(clock() - Date.parse(kept.checkedAt)) < everyMs) return undefined;
      return nouns.providerSessions.patch(kept.id, { checkedAt: new Date(clock()).toISOString() });
    });

  /** The session ends when its claims are of another person; otherwise role and groups follow them. */
  const follow = (session: SessionRecord, { settings }: UsedProvider, claims: Claims) =>
    store.transaction(async (nouns) => {
      const user = await nouns.users.get(session.userId);
      if (!user || !(await nouns.sessions.get(session.id))) return;
      if (!isOf(user, claims)) await end(nouns, session);
      else await followClaims({ nouns, call, now: clock(), actor }, user, mappedAccess(claims, settings));
    });

  async function check(session: SessionRecord, used: UsedProvider | undefined, everyMs: number) {
    const kept = await claim(session.id, everyMs);
    if (!kept) return;
    /** Unless the person has proven themselves meanwhile, which stores other tokens. */
    const whileKept = (work: (nouns: Nouns) => Promise<unknown>) =>
      store.transaction(async (nouns) => {
        const now = await nouns.providerSessions.get(kept.id);
        if (now?.sealedTokens !== kept.sealedTokens) return false;
        await work(nouns);
        return true;
      });
    const endIt = () => whileKept((nouns) => end(nouns, session));
    const tokens = openTokens(key(), session.id, kept.sealedTokens);
    // Switched off, or replaced by another provider: that one must not get tokens of the first.
    const isForeign = !used || (tokens && tokens.client !== clientKeyOf(used.settings));
    if (isForeign) await endIt();
    if (isForeign || tokens?.refreshToken === undefined) return;
    const old = { refreshToken: tokens.refreshToken, idToken: tokens.idToken };
    const fresh = await used.client.refresh(old);
    if (!fresh) {
      await endIt();
      return;
    }
    const { idToken = old.idToken, refreshToken = old.refreshToken } = fresh;
    const sealedTokens = sealTokens(key(), session.id, { ...tokens, idToken, refreshToken });
    // Before anything else can fail: the provider may accept the old refresh token no more.
    if (!(await whileKept((nouns) => nouns.providerSessions.patch(kept.id, { sealedTokens })))) return;
    const claims = await fresh.claims();
    if (claims) await follow(session, used, claims);
  }

  /** In the background; a provider that does not answer ends no session. */
  return (session: SessionRecord): void => {
    const used = provider();
    const everyMs = (used?.settings.recheckMinutes ?? 1) * 60_000;
    const last = looked.get(session.id) ?? Date.parse(session.createdAt);
    if (Math.abs(clock() - last) < everyMs) return;
    if (looked.size > 10_000) looked.clear();
    looked.set(session.id, clock());
    check(session, used, everyMs).catch((error: unknown) =>
      log.warn({ err: error }, 'a sign-in could not be checked with the provider'),
    );
  };
}
