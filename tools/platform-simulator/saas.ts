import { randomUUID } from 'node:crypto';
import type { EngineWorld } from './engine.ts';
import { SimulatedReload } from './reload.ts';
import type { RestAnswer, RestRequest } from './rest-answers.ts';

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
  /** So many of the next calls are answered 429. */
  throttled = 0;
  /** So many of the next calls are answered 503. */
  deaf = 0;
  readonly #world: EngineWorld;
  readonly #apiKey: string;
  readonly #reloads = new Map<string, TenantReload>();

  constructor(world: EngineWorld, apiKey: string) {
    this.#world = world;
    this.#apiKey = apiKey;
  }

  answer({ method, url, headers, body }: RestRequest): RestAnswer {
    if (headers.authorization !== `Bearer ${this.#apiKey}`) return problem(401, 'HTTP-401', 'Unauthorized');
    if (this.deaf > 0) {
      this.deaf -= 1;
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

  /** How every reload so far stands. */
  statuses(): string[] {
    return [...this.#reloads.values()].map(({ run }) => (run.end ? statuses[run.end] : 'RELOADING'));
  }

  /** Small pages, so that whoever reads only the first one is found out. */
  #items(from: number): RestAnswer {
    const all = [...this.#world.apps.values()].map(({ id, name }) => ({
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
    const { apps, orders } = this.#world;
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
