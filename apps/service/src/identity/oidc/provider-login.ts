import { ChooseRequest, SignInRequest } from '@kaptain/contract';
import type { Nouns, Store } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import type { Settings } from '../../base/config/settings.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { Log } from '../../base/logging/logs.ts';
import { hashToken, sameSecret } from '../../base/secrets/tokens.ts';
import { RateLimit } from '../../http/limits/rate-limit.ts';
import type { Challenges } from '../sessions/challenges.ts';
import { type LoginAnswer, openSession } from '../sessions/open-session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { UsedProvider } from './provider.ts';
import type { BegunFlow, ProviderFlows } from './provider-flows.ts';
import type { ProviderGrants } from './provider-grants.ts';

interface Deps {
  store: Store;
  settings: Settings;
  sessions: Sessions;
  challenges: Challenges;
  provider: () => UsedProvider | undefined;
  providerFlows: ProviderFlows;
  providerGrants: ProviderGrants;
  log: Log;
  clock: () => number;
  uptime: () => number;
}

type Start = 'console' | 'window' | 'extension' | 'choose';
type Kind = 'provider' | 'providerProof';
interface PickUp {
  code: string;
  verifier: string;
}

const PER_MINUTE = 60;
const TOO_MANY = 'Too many sign-ins from this address. Please wait a minute.';
const AWAY = 'The provider does not answer. Try again later, or use your password if you have one.';

const NOT_BY_PROVIDER = 'This session was not opened by the provider.';

/** The beginning and the end of a sign-in with the provider; the callback is between them. */
export function createProviderLogin(deps: Deps) {
  const { store, settings, challenges, provider, providerFlows, providerGrants, log, clock, uptime } = deps;
  const limit = new RateLimit([{ count: PER_MINUTE, perMs: 60_000 }], uptime);

  /** The query of a window of the extension, from its checked parts alone. */
  function windowQuery(to: 'extension' | 'choose', given: string): string {
    const schema = to === 'extension' ? SignInRequest : ChooseRequest;
    const parsed = schema.safeParse(Object.fromEntries(new URLSearchParams(given)));
    if (!parsed.success) throw new AppError('BAD_INPUT', 'The window was opened with an incomplete address.');
    return new URLSearchParams(
      Object.entries(parsed.data).map(([name, value]) => [name, String(value)]),
    ).toString();
  }

  const reached = (begun: Promise<BegunFlow>): Promise<BegunFlow> =>
    begun.catch((error: unknown) => {
      log.warn({ err: error }, 'the provider can not be used');
      throw new AppError('UNAVAILABLE', AWAY, { retryAfter: 10 });
    });

  /** A guessed code is refused without a turn among the writers. */
  async function requireKnown(kind: Kind, code: string): Promise<void> {
    if (!(await challenges.find(store, kind, code))) throw new AppError('CODE_REFUSED');
  }

  /** Returns the data behind a code, if the browser has the secret of the flow. The code is used up, also when refused. */
  async function pickUp(nouns: Nouns, kind: Kind, { code, verifier }: PickUp) {
    const begun = await challenges.find(nouns, kind, code);
    if (!begun) return undefined;
    await nouns.challenges.remove(begun.id);
    const pending = providerGrants.openPending(begun.data);
    if (!pending || !sameSecret(hashToken(verifier), pending.binding)) return undefined;
    return { ...pending, userId: begun.userId };
  }

  return {
    async begin({ to, query }: { to: Start; query: string }, call: Call): Promise<BegunFlow> {
      limit.consume(call.ip, TOO_MANY);
      const used = provider();
      if (!used) throw new AppError('NOT_FOUND', 'Signing in with a provider is switched off.');
      const checked = to === 'console' || to === 'window' ? '' : windowQuery(to, query);
      // The window gets its code at once from the session, and can't ask for a proof in between.
      const proof = to === 'extension' && settings.current().askAgain ? {} : undefined;
      return reached(providerFlows.begin(used, call.origin, { to, query: checked }, proof));
    },

    /** A new proof of the session of this call. */
    async beginProof({ caller, ip, origin }: Call<'loggedIn'>): Promise<BegunFlow> {
      limit.consume(ip, TOO_MANY);
      const used = provider();
      if (!used || !caller.isByProvider) throw new AppError('CONFLICT', NOT_BY_PROVIDER);
      const flow = { to: 'proof', sessionId: caller.sessionId } as const;
      return reached(providerFlows.begin(used, origin, flow, { loginHint: caller.username }));
    },

    async finishProof({ code, verifier }: PickUp, call: Call<'loggedIn'>): Promise<void> {
      limit.consume(call.ip, TOO_MANY);
      await requireKnown('providerProof', code);
      const { sessionId, userId, username } = call.caller;
      const isProven = await store.transaction(async (nouns) => {
        const pending = await pickUp(nouns, 'providerProof', { code, verifier });
        if (pending?.sessionId !== sessionId || pending.provenAt === undefined) return false;
        if (!(await nouns.sessions.get(sessionId))) throw new AppError('NOT_LOGGED_IN');
        await nouns.sessions.patch(sessionId, { provenAt: pending.provenAt });
        await providerGrants.keep(nouns, userId, sessionId, pending);
        const target = { noun: 'user', id: userId, name: username };
        await audit(nouns, call, clock(), { action: 'session.proof', target });
        return true;
      });
      if (!isProven) throw new AppError('CODE_REFUSED');
    },

    async finish(given: PickUp, call: Call): Promise<LoginAnswer> {
      limit.consume(call.ip, TOO_MANY);
      await requireKnown('provider', given.code);
      const answer = await store.transaction(async (nouns) => {
        const pending = await pickUp(nouns, 'provider', given);
        const user = pending && (await nouns.users.get(pending.userId));
        if (!user) return undefined;
        const after = { provider: provider()?.settings.name ?? '' };
        return openSession(nouns, deps, user, {}, call, after, {
          provenAt: pending.provenAt,
          keepGrant: (sessionId) => providerGrants.keep(nouns, user.id, sessionId, pending),
        });
      });
      if (!answer) throw new AppError('CODE_REFUSED');
      return { ...answer, user: { ...answer.user, isByProvider: true } };
    },

    /** Where the browser goes to end the sign-in at the provider too; null when there is nothing to end. */
    logoutUrl: async ({ caller, origin }: Call<'loggedIn'>): Promise<string | null> =>
      (await providerGrants.logoutUrl(caller.sessionId, `${origin}/login`).catch(() => undefined)) ?? null,
  };
}
export type ProviderLogin = ReturnType<typeof createProviderLogin>;
