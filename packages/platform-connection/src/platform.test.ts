import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Behaviour, simulatedApp } from '../../../tools/platform-simulator/apps.ts';
import { issue } from '../../../tools/platform-simulator/certificates.ts';
import { type Simulator, startSimulator } from '../../../tools/platform-simulator/simulator.ts';
import {
  connectPlatform,
  PlatformError,
  type PlatformSettings,
  pingPlatform,
  type Timeouts,
} from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'kaptain-platform-'));
/** What answers at all may take as long as a slow machine needs. */
const timeouts = { connectMs: 60_000, requestMs: 60_000, progressMs: 5, stalledMs: 300 };
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

const connect = (settings: PlatformSettings, differing: Partial<Timeouts> = {}, clock = Date.now) =>
  connectPlatform(settings, { folder, clock, timeouts: { ...timeouts, ...differing } });
const failure = async (work: Promise<unknown> | (() => Promise<unknown>)): Promise<PlatformError> => {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (error) {
    if (error instanceof PlatformError) return error;
    throw error;
  }
  throw new Error('This should have failed.');
};
const reload = (settings: PlatformSettings, appId: string, differing: Partial<Timeouts> = {}) =>
  connect(settings, differing).reload({ appId, partial: false }, quiet, never);

/** The CERT settings with a change, usually a mistake. */
function certWith(change: Partial<NonNullable<PlatformSettings['hosts']['CERT']>>): PlatformSettings {
  const settings = simulator.settings('CERT');
  const host = settings.hosts.CERT as NonNullable<PlatformSettings['hosts']['CERT']>;
  return { ...settings, hosts: { CERT: { ...host, ...change } } };
}
const written = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return name;
};

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

describe('certificates', () => {
  const otherAuthority = issue({ name: 'another CA', isAuthority: true });
  const forged = issue({ name: 'forged client', by: otherAuthority });
  const own = () => ({
    useQlikLocalCertificates: false,
    caFile: join(simulator.certificateFolder, 'root.pem'),
    certFile: join(simulator.certificateFolder, 'client.pem'),
    keyFile: join(simulator.certificateFolder, 'client_key.pem'),
  });

  it('may be uploaded files instead of the local ones', async () => {
    expect((await connect(certWith(own())).whoAmI()).userDirectory).toBe('SIMULATED');
  });

  it.each([
    [
      'of another authority',
      () => ({ certFile: written('c.pem', forged.certificate), keyFile: written('k.pem', forged.key) }),
      /does not accept the client certificate/,
    ],
    [
      'whose root is another one',
      () => ({ caFile: written('r.pem', otherAuthority.certificate) }),
      /not signed by the root certificate/,
    ],
    [
      'whose key is another one',
      () => ({ keyFile: written('k2.pem', forged.key) }),
      /does not belong to the certificate/,
    ],
    ['that are not PEM', () => ({ certFile: written('n.pem', 'hello') }), /not valid PEM/],
    ['that do not exist', () => ({ certFile: 'nowhere.pem' }), /nowhere\.pem can't be read/],
    ['that were never uploaded', () => ({ keyFile: '' }), /is missing/],
    [
      'made for another name',
      () => ({ hostname: `127.0.0.2:${simulator.ports.engine}` }),
      /another name|Nothing answers/,
    ],
  ])('%s are explained in one sentence', async (_, change, message) => {
    const error = await failure(async () => connect(certWith({ ...own(), ...change() })).whoAmI());
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain(folder);
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

describe('a platform that is not running', () => {
  it('is refused after several attempts, and reached when it starts in between', async () => {
    const port = await new Promise<number>((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const { port: free } = server.address() as { port: number };
        server.close(() => resolve(free));
      });
    });
    const settings = simulator.settings('DESKTOP');
    const withPort = {
      ...settings,
      hosts: { DESKTOP: { ...settings.hosts.DESKTOP, hostname: `127.0.0.1:${port}` } as never },
    };
    expect(await failure(connect(withPort).openApp('good'))).toMatchObject({
      category: 'refused',
      isPassing: true,
    });
    const opening = connect(withPort).openApp('good');
    const late = await startSimulator({
      folder: join(folder, 'late'),
      apps: [simulatedApp('good')],
      ports: { engine: 0, repository: 0, proxy: 0, tenant: 0, desktop: port },
    });
    expect((await opening).id).toBe('good');
    await late.close();
  });

  it('that accepts but never answers is a time-out', async () => {
    const sockets = new Set<{ destroy(): void }>();
    const server = createServer((socket) => sockets.add(socket));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const error = await failure(
      connect(certWith({ hostname: `localhost:${port}` }), { connectMs: 100 }).openApp('good'),
    );
    expect(error).toMatchObject({ category: 'timeout' });
    for (const socket of sockets) socket.destroy();
    server.close();
  });
});

describe('pingPlatform', () => {
  it('returns latency and user, or a category and a message, and never throws', async () => {
    expect(await pingPlatform(simulator.settings('CERT'), { folder })).toEqual({
      ok: true,
      latencyMs: expect.any(Number),
      message: 'Connected as SIMULATED\\kaptain.',
    });
    const nothing = { settings: simulator.settings('CERT').settings, hosts: {} };
    expect(await pingPlatform(nothing, { folder })).toMatchObject({ ok: false, category: 'other' });
    const badName = certWith({ hostname: 'http://qlik.example.com/hub' });
    expect(await pingPlatform(badName, { folder })).toMatchObject({
      message: expect.stringContaining('not a host name'),
    });
    expect(await pingPlatform(certWith({ qrsHostname: 'localhost:1' }), { folder })).toMatchObject({
      ok: false,
      category: 'refused',
      message: expect.stringContaining('localhost:1'),
    });
  });
});
