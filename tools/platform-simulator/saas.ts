import { randomUUID } from 'node:crypto';
import type { EngineState } from './engine.ts';
import { SimulatedReload } from './reload.ts';
import type { RestAnswer, RestRequest } from './rest-answers.ts';
import { TenantOauth, type TenantPerson } from './tenant-oauth.ts';

interface TenantReload {
  id: string;
  appId: string;
  partial: boolean;
  run: SimulatedReload;
  created: string;
}

const statuses = { succeeded: 'SUCCEEDED', failed: 'FAILED', cancelled: 'CANCELED' } as const;
const PAGE = 2;

const problem = (status: number, code: string, title: string): RestAnswer => ({
  status,
  body: { errors: [{ code, title }] },
});

/** A tenant's REST calls (https://qlik.dev/apis/rest/ users, items, reloads, apps). */
export class SimulatedTenant {
  /** The number of next calls that are answered with 429. */
  throttled = 0;
  /** The number of next calls that are answered with 503. */
  unavailable = 0;
  /** The people of the tenant, by their access token. */
  readonly people = new Map<string, TenantPerson>();
  readonly oauth = new TenantOauth((token, person) => this.people.set(token, person));
  readonly #state: EngineState;
  readonly #apiKey: string;
  readonly #reloads = new Map<string, TenantReload>();

  constructor(state: EngineState, apiKey: string) {
    this.#state = state;
    this.#apiKey = apiKey;
  }

  answer(request: RestRequest): RestAnswer {
    const { method, url, headers, body } = request;
    const signIn = this.oauth.answer(request);
    if (signIn) return signIn;
    const person = this.people.get(/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '');
    if (person && url.pathname === '/api/v1/users/me') return { status: 200, body: person };
    if (headers.authorization !== `Bearer ${this.#apiKey}`) return problem(401, 'HTTP-401', 'Unauthorized');
    if (this.unavailable > 0) {
      this.unavailable -= 1;
      return problem(503, 'HTTP-503', 'Service unavailable');
    }
    if (this.throttled > 0) {
      this.throttled -= 1;
      return { ...problem(429, 'HTTP-429', 'Too many requests'), headers: { 'retry-after': '1' } };
    }
    const [, noun = '', id = '', ...rest] = url.pathname
      .replace(/^\/api\/v1/, '')
      .split('/')
      .map(decodeURIComponent);
    switch (`${method} ${[noun, ...(id ? [':id'] : []), ...rest.slice(0, 2)].join('/')}`) {
      case 'GET users/:id':
        return { status: 200, body: { id: 'sim-user', subject: 'sim|user', name: 'Simulated user' } };
      case 'GET items':
        return this.#items(Number(url.searchParams.get('next') ?? 0));
      case 'POST reloads':
        return this.#start(body as { appId: string; partial?: boolean });
      case 'GET reloads/:id':
        return this.#show(this.#reloads.get(id));
      case 'POST reloads/:id/actions/cancel':
        this.#reloads.get(id)?.run.cancel();
        return { status: 202 };
      case 'GET apps/:id/reloads/logs':
        return this.#log(rest[2] ?? '');
      default:
        return problem(404, 'HTTP-404', 'Not found');
    }
  }

  /** The statuses of all reloads. */
  statuses(): string[] {
    return [...this.#reloads.values()].map(({ run }) => (run.end ? statuses[run.end] : 'RELOADING'));
  }

  /** Pages of two items, so that a client that reads only the first page fails its test. */
  #items(from: number): RestAnswer {
    const all = [...this.#state.apps.values()].map(({ id, name }) => ({
      resourceId: id,
      resourceType: 'app',
      name,
    }));
    const next =
      from + PAGE < all.length
        ? { next: { href: `https://simulator/api/v1/items?next=${from + PAGE}` } }
        : {};
    return { status: 200, body: { data: all.slice(from, from + PAGE), links: next } };
  }

  #start({ appId, partial = false }: { appId: string; partial?: boolean }): RestAnswer {
    const { apps, orders } = this.#state;
    const app = apps.get(appId);
    if (!app) return problem(404, 'RELOADS-004', 'App not found');
    orders.push({ appId, partial });
    const run = new SimulatedReload(app, partial);
    const reload = { id: randomUUID(), appId, partial, run, created: new Date().toISOString() };
    this.#reloads.set(reload.id, reload);
    return { status: 201, body: { id: reload.id, appId, partial, status: 'QUEUED', type: 'external' } };
  }

  #show(reload: TenantReload | undefined): RestAnswer {
    if (!reload) return problem(404, 'RELOADS-004', 'Reload not found');
    const { id, appId, partial, run, created } = reload;
    const status = run.end ? statuses[run.end] : 'RELOADING';
    const failed = run.end === 'failed' ? { errorCode: 'EngineError', errorMessage: run.errors.at(-1) } : {};
    return {
      status: 200,
      body: { id, appId, partial, status, type: 'external', creationTime: created, ...failed },
    };
  }

  #log(id: string): RestAnswer {
    const run = this.#reloads.get(id)?.run;
    return run?.end ? { status: 200, body: run.logText } : problem(404, 'APPS-404', 'Log not found');
  }
}
