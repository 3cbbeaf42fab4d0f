import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Behaviour, simulatedApp } from '../../../tools/platform-simulator/apps.ts';
import { issue } from '../../../tools/platform-simulator/certificates.ts';
import { type Simulator, startSimulator } from '../../../tools/platform-simulator/simulator.ts';
import type { PlatformSettings, Timeouts } from './index.ts';
import { connectionsIn, failure } from './testing/connections.ts';

const folder = mkdtempSync(join(tmpdir(), 'kaptain-platform-'));
const { connect, written } = connectionsIn(folder);
const modes = ['CERT', 'JWT', 'SAAS', 'DESKTOP'] as const;
const never = new AbortController().signal;
const quiet = () => undefined;
const publicAuthorities = getCACertificates('default');
let simulator: Simulator;

beforeAll(async () => {
  const app = (id: string, behaviour: Behaviour, reloadMs = 60) => simulatedApp(id, { behaviour, reloadMs });
  simulator = await startSimulator({
    folder: join(folder, 'simulator'),
    apps: [
      app('good', 'succeeds'),
      app('long', 'succeeds', 60_000),
      app('bad', 'fails'),
      app('hung', 'hangs'),
      app('silent', 'stops answering'),
      app('dropped', 'closes'),
      app('nonsense', 'sends invalid JSON'),
    ],
  });
  // Real tenants have certificates of a public authority.
  setDefaultCACertificates([...publicAuthorities, simulator.authority]);
});
afterEach(() => {
  simulator.orders.length = 0;
});
afterAll(async () => {
  // The authority of another simulator in this process has the same name.
  setDefaultCACertificates(publicAuthorities);
  await simulator.close();
  rmSync(folder, { recursive: true, force: true });
});

const reload = (settings: PlatformSettings, appId: string, differing: Partial<Timeouts> = {}) =>
  connect(settings, differing).reload({ appId, partial: false }, quiet, never);

describe.each(modes)('over %s', (mode) => {
  it('returns its user, lists and opens apps, reloads with progress, and returns the script log', async () => {
    const platform = connect(simulator.settings(mode));
    const expected = { CERT: 'kaptain', JWT: 'kaptain', SAAS: 'sim|user', DESKTOP: 'Me' }[mode];
    expect((await platform.whoAmI()).userId).toBe(expected);
    expect((await platform.listApps()).map(({ id }) => id)).toEqual([...simulator.apps.keys()]);
    expect(await platform.openApp('good')).toEqual({ id: 'good', name: 'Simulated good' });
    const said: string[] = [];
    const result = await platform.reload(
      { appId: 'good', partial: true },
      ({ text }) => said.push(text),
      never,
    );
    expect(result).toMatchObject({ status: 'succeeded', failReason: null });
    expect(simulator.orders).toEqual([{ appId: 'good', partial: true }]);
    expect(said.join('\n')).toMatch(mode === 'SAAS' ? /to start the reload/ : /Lines fetched/);
    const file = result.scriptLogFile ?? '';
    const log = (await platform.scriptLog('good', file)) ?? readFileSync(file, 'utf8');
    expect(log).toMatch(/SIMULATOR[\s\S]*lines fetched into Comments[\s\S]*Execution finished/);
  });

  it('reports why a script failed, and that another was cancelled', async () => {
    const platform = connect(simulator.settings(mode));
    expect(await platform.reload({ appId: 'bad', partial: false }, quiet, never)).toMatchObject({
      status: 'failed',
      failReason: "Field 'CloseDate' not found",
    });
    const asked = new AbortController();
    const long = platform.reload({ appId: 'long', partial: false }, () => asked.abort(), asked.signal);
    await vi.waitFor(() => expect(simulator.orders).toHaveLength(2));
    asked.abort();
    expect((await long).status).toBe('cancelled');
  });

  it('fails with a message about an app that does not exist', async () => {
    const platform = connect(simulator.settings(mode));
    expect(await failure(platform.openApp('none'))).toMatchObject({ category: 'other', isPassing: false });
    expect(await failure(platform.reload({ appId: 'none', partial: false }, quiet, never))).toBeTruthy();
  });
});

describe('an engine that misbehaves in the middle of a reload', () => {
  it.each([
    ['dropped', 'other', /closed the connection/],
    ['nonsense', 'other', /not the engine.s protocol/],
    ['hung', 'timeout', /reported no progress for too long/],
    ['silent', 'timeout', /in time/],
  ])('is reported as such: %s', async (appId, category, message) => {
    const error = await failure(reload(simulator.settings('CERT'), appId, { requestMs: 200 }));
    expect(error).toMatchObject({ category });
    expect(error.message).toMatch(message);
  });

  it('does not block a cancel that it does not answer', async () => {
    const asked = new AbortController();
    const settings = simulator.settings('DESKTOP');
    const hung = connect(settings, { requestMs: 300, stalledMs: 60_000, progressMs: 500 }).reload(
      { appId: 'silent', partial: false },
      quiet,
      asked.signal,
    );
    await vi.waitFor(() => expect(simulator.orders).toHaveLength(1));
    await sleep(50);
    asked.abort();
    expect((await hung).status).toBe('cancelled');
  });
});

describe('a login that is not accepted', () => {
  const jwt = (change: object): PlatformSettings => {
    const settings = simulator.settings('JWT');
    return { ...settings, hosts: { JWT: { ...settings.hosts.JWT, ...change } as never } };
  };
  const cases: [string, () => PlatformSettings, number, string][] = [
    ['an expired token', () => jwt({}), -3_600_000, 'login'],
    ['claims of other names', () => jwt({ userIdAttr: 'sub' }), 0, 'login'],
    ['a key that is not RSA', () => jwt({ keyFile: written('ec.pem', issue({ name: 'x' }).key) }), 0, 'tls'],
    ['a prefix that does not exist', () => jwt({ prefix: 'other' }), 0, 'other'],
    [
      'no user',
      () => ({ ...jwt({}), settings: { qlikHost: 'JWT', userId: '', userDirectory: '' } }),
      0,
      'login',
    ],
  ];
  it.each(cases)('by JWT: %s', async (_, settings, skew, category) => {
    const error = await failure(async () => connect(settings(), {}, () => Date.now() + skew).whoAmI());
    expect(error).toMatchObject({ category });
  });

  it('by SaaS: a wrong key is a login failure and appears in no message', async () => {
    const settings = simulator.settings('SAAS');
    const wrong = {
      ...settings,
      hosts: { SAAS: { ...settings.hosts.SAAS, apiKey: 'a-secret-key' } as never },
    };
    for (const error of [
      await failure(connect(wrong).whoAmI()),
      await failure(connect(wrong).openApp('good')),
    ]) {
      expect(error).toMatchObject({ category: 'login', isPassing: false });
      expect(error.message).not.toContain('a-secret-key');
    }
  });

  it('by SaaS: calls refused by 429 are retried after the requested delay, a reload order never', async () => {
    simulator.tenant.throttled = 1;
    expect(await connect(simulator.settings('SAAS')).listApps()).toHaveLength(simulator.apps.size);
    simulator.tenant.throttled = 1;
    const error = await failure(reload(simulator.settings('SAAS'), 'good'));
    expect(error).toMatchObject({ category: 'other', isPassing: true, retryAfterMs: 1000 });
    expect(simulator.orders).toEqual([]);
  });
});

describe('a tenant whose reload is polled', () => {
  const order = { appId: 'long', partial: false };
  it('is asked to stop a reload that stalls', async () => {
    const platform = connect(simulator.settings('SAAS'), { stalledMs: 50 });
    const error = await failure(platform.reload(order, quiet, never));
    expect(error).toMatchObject({ category: 'timeout' });
    expect(simulator.tenant.statuses()).toContain('CANCELED');
  });

  it('may be unreachable for some polls', async () => {
    const platform = connect(simulator.settings('SAAS'), { stalledMs: 60_000 });
    const asked = new AbortController();
    let outages = 0;
    const fail = () => {
      outages += 1;
      simulator.tenant.unavailable = 2;
    };
    const watched = platform.reload(order, fail, asked.signal);
    await vi.waitFor(() => expect([outages, simulator.tenant.unavailable]).toEqual([2, 0]));
    asked.abort();
    simulator.tenant.unavailable = 1;
    expect((await watched).status).toBe('cancelled');
  });
});
