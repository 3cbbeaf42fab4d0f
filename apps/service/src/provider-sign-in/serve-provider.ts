import { SIGN_IN_PATH } from '@kaptain/contract';
import type { Store } from '@kaptain/store';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../http/app-error.ts';
import { RequestCall } from '../http/call-of.ts';
import { commonHeaders, pagePolicy } from '../http/headers.ts';
import type { Log } from '../logging/logs.ts';
import type { Challenges } from '../security/challenges.ts';
import type { UsedProvider } from '../security/provider.ts';
import { mappedPerson } from '../security/provider-claims.ts';
import type { Tokens } from '../security/provider-client.ts';
import { CALLBACK_PATH, type FlowState, type ProviderFlows } from '../security/provider-flows.ts';
import type { ProviderGrants } from '../security/provider-grants.ts';
import { RateLimit } from '../security/rate-limit.ts';
import { admitPerson, RefusedPerson } from './admit-person.ts';
import { failedPage, testedPage } from './provider-page.ts';

export interface ProviderDeps {
  store: Store;
  provider: () => UsedProvider | undefined;
  /** The provider of a test that an ADMIN has begun with unsaved settings. */
  testedProvider: (secret: string) => Promise<UsedProvider | undefined>;
  providerFlows: ProviderFlows;
  providerGrants: ProviderGrants;
  challenges: Challenges;
  log: Log;
  clock: () => number;
  uptime: () => number;
}

const EXPIRED = 'This sign-in took too long, or it was not begun here. Please begin again.';
const FAILED = 'The provider did not answer as expected. Please begin again; the system log has the details.';
const DENIED = 'The provider did not sign you in.';

/** Serves the way back from the provider, and takes its logouts. */
export function serveProvider(app: FastifyInstance, deps: ProviderDeps): void {
  const { store, provider, testedProvider, providerFlows, providerGrants, challenges, log, clock, uptime } =
    deps;
  const callbackLimit = new RateLimit([{ count: 60, perMs: 60_000 }], uptime);
  const headers = { ...commonHeaders, 'cache-control': 'no-store', 'content-security-policy': pagePolicy };
  const show = (reply: FastifyReply, status: number, page: string) =>
    reply.code(status).headers(headers).type('text/html; charset=utf-8').send(page);

  async function goOn(
    flow: FlowState,
    { settings }: UsedProvider,
    tokens: Tokens,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const person = mappedPerson(tokens.claims, settings);
    if (typeof person === 'string') throw new RefusedPerson(person);
    if (flow.to === 'test') return show(reply, 200, testedPage(person));
    const call = new RequestCall(request, reply, undefined);
    const identity = { issuer: tokens.claims.iss, subject: tokens.claims.sub };
    const code = await store.transaction(async (nouns) => {
      const user = await admitPerson(nouns, call, clock(), identity, person, settings.createsUsers);
      const pending = providerGrants.sealPending(tokens, flow.binding);
      return challenges.create(nouns, 'provider', user.id, pending);
    });
    // One of two own pages, never an address from the request. Browsers send the fragment to no server.
    const page = flow.to === 'console' ? '/login' : `${SIGN_IN_PATH}?${flow.query}`;
    return reply.headers(headers).redirect(`${page}#sign-in=${code}`, 303);
  }

  app.get(CALLBACK_PATH, async (request, reply) => {
    // Each callback asks the provider.
    callbackLimit.consume(request.ip, 'Too many sign-ins from this address. Please wait a minute.');
    const { state, error } = request.query as { state?: unknown; error?: unknown };
    const flow = typeof state === 'string' ? providerFlows.open(state) : undefined;
    const used = flow?.to === 'test' ? await testedProvider(flow.query) : provider();
    if (!flow || !used || typeof state !== 'string') return show(reply, 400, failedPage(EXPIRED));
    if (error === 'access_denied') return show(reply, 403, failedPage(DENIED));
    try {
      const tokens = await used.client.finish(new URL(request.url, flow.redirectUri), { ...flow, state });
      return await goOn(flow, used, tokens, request, reply);
    } catch (problem) {
      if (problem instanceof RefusedPerson) return show(reply, 403, failedPage(problem.message));
      log.warn({ err: problem }, 'sign-in with the provider failed');
      return show(reply, 502, failedPage(FAILED));
    }
  });

  app.register(async (scope) => {
    // The provider posts a form; the signed token in it is all the authentication there is.
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, new URLSearchParams(String(body))),
    );
    scope.post('/auth/provider/backchannel-logout', { bodyLimit: 64 * 1024 }, async (request, reply) => {
      const used = provider();
      const token = request.body instanceof URLSearchParams ? request.body.get('logout_token') : null;
      if (!used || token === null) throw new AppError('BAD_INPUT', 'There is no logout token.');
      const logout = await used.client.readLogoutToken(token).catch((error: unknown) => {
        log.warn({ err: error }, 'logout token refused');
        throw new AppError('BAD_INPUT', 'The logout token is not valid.');
      });
      await providerGrants.end(logout, new RequestCall(request, reply, undefined));
      return reply.code(200).send('');
    });
  });
}
