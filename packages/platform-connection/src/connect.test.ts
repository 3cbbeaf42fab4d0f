import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulatedApp } from '../../../tools/platform-simulator/apps.ts';
import { issue } from '../../../tools/platform-simulator/certificates.ts';
import { type Simulator, startSimulator } from '../../../tools/platform-simulator/simulator.ts';
import { type PlatformSettings, pingPlatform } from './index.ts';
import { connectionsIn, failure } from './testing/connections.ts';

const folder = mkdtempSync(join(tmpdir(), 'kaptain-platform-'));
const { connect, written } = connectionsIn(folder);
let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ folder: join(folder, 'simulator') });
});
afterAll(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The CERT settings with a change, usually a mistake. */
function certWith(change: Partial<NonNullable<PlatformSettings['hosts']['CERT']>>): PlatformSettings {
  const settings = simulator.settings('CERT');
  const host = settings.hosts.CERT as NonNullable<PlatformSettings['hosts']['CERT']>;
  return { ...settings, hosts: { CERT: { ...host, ...change } } };
}

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
