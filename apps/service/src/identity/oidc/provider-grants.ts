import type { Nouns, Store } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { seal, unseal } from '../../base/secrets/sealing.ts';
import { endSession } from '../sessions/revoke.ts';
import type { UsedProvider } from './provider.ts';
import type { LogoutToken, Tokens } from './provider-client.ts';
import { clientKeyOf, type KeptTokens, openTokens, sealTokens } from './provider-tokens.ts';
import { subjectKeyOf } from './subject-key.ts';
import { createUsedLogoutTokens } from './used-logout-tokens.ts';

/** A sign-in that the browser still has to pick up. */
interface PendingSignIn extends KeptTokens {
  sid: string | null;
  /** SHA-256 of the secret of the browser that began. */
  binding: string;
  /** When the person has shown who they are, as the provider states it; absent when it does not. */
  provenAt?: string;
  /** The session that a new proof is for. */
  sessionId?: string;
}

interface Deps {
  store: Store;
  provider: () => UsedProvider | undefined;
  key: () => Buffer;
  clock: () => number;
}

const PENDING = 'pending sign-in';

/** The session at the provider, when it names one. */
export const sidOf = ({ claims }: Pick<Tokens, 'claims'>): string | undefined =>
  typeof claims['sid'] === 'string' ? claims['sid'] : undefined;

/** The sealed tokens of each session by the provider, to check and to end it there. */
export function createProviderGrants({ store, provider, key, clock }: Deps) {
  async function endOf(nouns: Nouns, sessionId: string, userId: string, call: Call): Promise<number> {
    const user = await nouns.users.get(userId);
    if (!user || !(await endSession(nouns, userId, sessionId))) return 0;
    await audit(nouns, call, clock(), {
      action: 'session.endByProvider',
      actor: { id: null, username: 'provider' },
      target: { noun: 'user', id: userId, name: user.username },
    });
    return 1;
  }

  /** A sign-in that its browser still has to pick up would become a session after its logout. */
  async function removePending(
    { challenges }: Nouns,
    { subject, sid }: LogoutToken,
    userId: string | undefined,
  ): Promise<void> {
    const byUser = userId === undefined ? [] : await challenges.findBy('userId', userId);
    const named = sid === undefined ? byUser : await challenges.findBy('sid', sid);
    for (const waiting of named) {
      const isSignIn = waiting.kind === 'provider' || waiting.kind === 'providerProof';
      if (isSignIn && (subject === undefined || waiting.userId === userId))
        await challenges.remove(waiting.id);
    }
  }

  const usedTokens = createUsedLogoutTokens(clock);

  return {
    sealPending(
      tokens: Tokens,
      { settings }: UsedProvider,
      more: Pick<PendingSignIn, 'binding' | 'provenAt' | 'sessionId'>,
    ): string {
      const { idToken, refreshToken } = tokens;
      const grant = { idToken, refreshToken, client: clientKeyOf(settings), sid: sidOf(tokens) ?? null };
      const pending: PendingSignIn = { ...grant, ...more };
      return seal(key(), PENDING, JSON.stringify(pending));
    },
    openPending(data: string): PendingSignIn | undefined {
      const text = unseal(key(), PENDING, data);
      return text === undefined ? undefined : (JSON.parse(text) as PendingSignIn);
    },
    /** Stores the tokens of a session, in place of earlier ones. */
    async keep(nouns: Nouns, userId: string, sessionId: string, pending: PendingSignIn): Promise<void> {
      const { idToken, refreshToken, client, sid } = pending;
      const sealedTokens = sealTokens(key(), sessionId, { idToken, refreshToken, client });
      const stored = { sid, sealedTokens, checkedAt: new Date(clock()).toISOString() };
      const [old] = await nouns.providerSessions.findBy('sessionId', sessionId);
      if (old) await nouns.providerSessions.patch(old.id, stored);
      else await nouns.providerSessions.insert({ sessionId, userId, ...stored });
    },
    /** Back-channel logout: ends the session the provider names, or all of the person. A token works once. */
    end: (logout: LogoutToken, call: Call): Promise<number> =>
      store.transaction(async (nouns) => {
        const { issuer, subject, sid } = logout;
        await usedTokens.add(nouns, logout);
        const [user] =
          subject === undefined
            ? []
            : await nouns.users.findBy('subjectKey', subjectKeyOf({ issuer, subject }));
        await removePending(nouns, logout, user?.id);
        const bySid = sid === undefined ? [] : await nouns.providerSessions.findBy('sid', sid);
        const kept =
          sid === undefined && user ? await nouns.providerSessions.findBy('userId', user.id) : bySid;
        let ended = 0;
        for (const { sessionId, userId } of kept)
          if (subject === undefined || userId === user?.id)
            ended += await endOf(nouns, sessionId, userId, call);
        return ended;
      }),
    async logoutUrl(sessionId: string, returnTo: string): Promise<string | undefined> {
      const [kept] = await store.providerSessions.findBy('sessionId', sessionId);
      const tokens = kept && openTokens(key(), sessionId, kept.sealedTokens);
      const used = provider();
      if (!tokens || !used || tokens.client !== clientKeyOf(used.settings)) return undefined;
      return used.client.logoutUrl(tokens.idToken, returnTo);
    },
  };
}
export type ProviderGrants = ReturnType<typeof createProviderGrants>;
