import { SignInRequest } from '@kaptain/contract';
import type { Store } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import type { Call } from '../../http/call.ts';
import type { Log } from '../../logging/logs.ts';
import type { Challenges } from '../../security/challenges.ts';
import type { UsedProvider } from '../../security/provider.ts';
import type { BegunFlow, ProviderFlows } from '../../security/provider-flows.ts';
import type { ProviderGrants } from '../../security/provider-grants.ts';
import { RateLimit } from '../../security/rate-limit.ts';
import type { Sessions } from '../../security/sessions.ts';
import { hashToken, sameSecret } from '../../security/tokens.ts';
import { type LoginAnswer, openSession } from './open-session.ts';

interface Deps {
  store: Store;
  sessions: Sessions;
  challenges: Challenges;
  provider: () => UsedProvider | undefined;
  providerFlows: ProviderFlows;
  providerGrants: ProviderGrants;
  log: Log;
  clock: () => number;
  uptime: () => number;
}

const PER_MINUTE = 60;
const TOO_MANY = 'Too many sign-ins from this address. Please wait a minute.';
const AWAY = 'The provider does not answer. Try again later, or use your password if you have one.';

/** The beginning and the end of a sign-in with the provider; the callback is between them. */
export function createProviderLogin(deps: Deps) {
  const { store, challenges, provider, providerFlows, providerGrants, log, uptime } = deps;
  const limit = new RateLimit([{ count: PER_MINUTE, perMs: 60_000 }], uptime);

  /** The query of the extension's window, from its checked parts alone. */
  function windowQuery(given: string): string {
    const parsed = SignInRequest.safeParse(Object.fromEntries(new URLSearchParams(given)));
    if (!parsed.success) throw new AppError('BAD_INPUT', 'The window was opened with an incomplete address.');
    const { origin, kapsules, challenge, state } = parsed.data;
    return new URLSearchParams({ origin, kapsules: kapsules.join(','), challenge, state }).toString();
  }

  return {
    async begin(given: { to: 'console' | 'extension'; query: string }, call: Call): Promise<BegunFlow> {
      limit.consume(call.ip, TOO_MANY);
      const used = provider();
      if (!used) throw new AppError('NOT_FOUND', 'Signing in with a provider is switched off.');
      const query = given.to === 'extension' ? windowQuery(given.query) : '';
      return providerFlows.begin(used, call.origin, { to: given.to, query }).catch((error: unknown) => {
        log.warn({ err: error }, 'the provider can not be used');
        throw new AppError('UNAVAILABLE', AWAY, { retryAfter: 10 });
      });
    },

    async finish({ code, verifier }: { code: string; verifier: string }, call: Call): Promise<LoginAnswer> {
      limit.consume(call.ip, TOO_MANY);
      if (!(await challenges.find(store, 'provider', code))) throw new AppError('CODE_REFUSED');
      const answer = await store.transaction(async (nouns) => {
        const begun = await challenges.find(nouns, 'provider', code);
        if (!begun) return undefined;
        // Used up, also when it is refused.
        await nouns.challenges.remove(begun.id);
        const pending = providerGrants.openPending(begun.data);
        const user = await nouns.users.get(begun.userId);
        if (!pending || !user || !sameSecret(hashToken(verifier), pending.binding)) return undefined;
        const after = { provider: provider()?.settings.name ?? '' };
        return openSession(nouns, deps, user, {}, call, after, async (sessionId) =>
          providerGrants.keep(nouns, user.id, sessionId, pending),
        );
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
