import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHOOSE_PATH, SIGN_IN_PATH } from '@kaptain/contract';
import { type Store, UniqueError } from '@kaptain/store';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { Log } from '../../base/logging/logs.ts';
import { RateLimit } from '../../http/limits/rate-limit.ts';
import { RequestCall } from '../../http/server/call-of.ts';
import { commonHeaders, pagePolicy, windowPolicy } from '../../http/server/headers.ts';
import type { Challenges } from '../sessions/challenges.ts';
import { admitPerson, personOf, RefusedPerson } from './admit-person.ts';
import { provenAgain, provenBySignIn, provePerson } from './prove-person.ts';
import type { UsedProvider } from './provider.ts';
import type { Tokens } from './provider-client.ts';
import { CALLBACK_PATH, type FlowState, type ProofFlow, type ProviderFlows } from './provider-flows.ts';
import { type ProviderGrants, sidOf } from './provider-grants.ts';
import { failedPage, handoverPage, testedPage } from './provider-page.ts';
import { clientKeyOf } from './provider-tokens.ts';

interface ProviderDeps {
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

const HTML = 'text/html; charset=utf-8';
/** The path at which a signed-in browser goes on; the query of a window follows. */
const pages = { console: '/login', extension: `${SIGN_IN_PATH}?`, choose: `${CHOOSE_PATH}?` } as const;
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
    reply.code(status).headers(headers).type(HTML).send(page);

  /** The code of a new proof; the session is proven when the page that began calls with its secret. */
  async function prove(flow: ProofFlow, used: UsedProvider, tokens: Tokens, call: Call) {
    const at = await provenAgain(tokens, flow, clock());
    const code = await store.transaction(async (nouns) => {
      const proven = await provePerson({ nouns, call, now: clock() }, flow, tokens, used);
      if (proven instanceof RefusedPerson) return proven;
      const more = { binding: flow.binding, provenAt: at, sessionId: flow.sessionId };
      const pending = providerGrants.sealPending(tokens, used, more);
      return challenges.create(nouns, 'providerProof', proven.userId, pending, sidOf(tokens));
    });
    if (code instanceof RefusedPerson) throw code;
    return code;
  }

  /** The code with which the browser that began gets its session. */
  async function admit({ binding }: FlowState, used: UsedProvider, tokens: Tokens, call: Call) {
    const { settings } = used;
    const provenAt = await provenBySignIn(tokens, clock());
    const code = await store.transaction(async (nouns) => {
      const user = await admitPerson({ nouns, call, now: clock(), settings }, tokens);
      if (user instanceof RefusedPerson) return user;
      const pending = providerGrants.sealPending(tokens, used, { binding, ...(provenAt && { provenAt }) });
      return challenges.create(nouns, 'provider', user.id, pending, sidOf(tokens));
    });
    if (code instanceof RefusedPerson) throw code;
    return code;
  }

  const handOver = (reply: FastifyReply, { binding }: FlowState, code: string) =>
    reply
      .headers({ ...headers, 'content-security-policy': windowPolicy })
      .type(HTML)
      .send(handoverPage(binding, code));

  async function goOn(flow: FlowState, used: UsedProvider, tokens: Tokens, call: Call, reply: FastifyReply) {
    switch (flow.to) {
      case 'test':
        return show(reply, 200, testedPage(personOf(tokens.claims, used.settings)));
      case 'proof':
        return handOver(reply, flow, await prove(flow, used, tokens, call));
      case 'window':
        return handOver(reply, flow, await admit(flow, used, tokens, call));
      case 'console':
      case 'extension':
      case 'choose': {
        const code = await admit(flow, used, tokens, call);
        // One of three own pages, never an address from the request. Browsers send the fragment to no server.
        return reply.headers(headers).redirect(`${pages[flow.to]}${flow.query}#sign-in=${code}`, 303);
      }
    }
  }

  app.get(CALLBACK_PATH, async (request, reply) => {
    // Each callback asks the provider.
    callbackLimit.consume(request.ip, 'Too many sign-ins from this address. Please wait a minute.');
    const { state, error } = request.query as { state?: unknown; error?: unknown };
    const flow = typeof state === 'string' ? providerFlows.open(state) : undefined;
    const used = flow?.to === 'test' ? await testedProvider(flow.secret) : provider();
    // Begun with another provider: its code must not reach this one.
    const isSame = used !== undefined && flow?.client === clientKeyOf(used.settings);
    if (!flow || !isSame || typeof state !== 'string') return show(reply, 400, failedPage(EXPIRED, flow?.to));
    if (error === 'access_denied') return show(reply, 403, failedPage(DENIED, flow.to));
    try {
      const tokens = await used.client.finish(new URL(request.url, flow.redirectUri), { ...flow, state });
      return await goOn(flow, used, tokens, new RequestCall(request, reply, undefined), reply);
    } catch (problem) {
      if (problem instanceof RefusedPerson) return show(reply, 403, failedPage(problem.message, flow.to));
      log.warn({ err: problem }, 'sign-in with the provider failed');
      if (problem instanceof AppError && problem.code === 'LIMIT_REACHED')
        return show(reply, 403, failedPage(`${problem.message} Ask an administrator.`, flow.to));
      return show(reply, 502, failedPage(FAILED, flow.to));
    }
  });
  app.get('/auth/provider/handover.js', async (_, reply) =>
    reply
      .headers(headers)
      .type('text/javascript; charset=utf-8')
      .send(await readFile(join(import.meta.dirname, 'handover.js'))),
  );

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
      await providerGrants.end(logout, new RequestCall(request, reply, undefined)).catch((error: unknown) => {
        if (!(error instanceof UniqueError)) throw error;
        log.warn('logout token refused: it was used before');
        throw new AppError('BAD_INPUT', 'The logout token is not valid.');
      });
      return reply.code(200).send('');
    });
  });
}
