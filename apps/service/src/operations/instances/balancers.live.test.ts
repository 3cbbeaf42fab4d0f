import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Balancer,
  type BalancerKind,
  hasBalancer,
  startBalancer,
} from '../../../../../tools/test-servers/balancers.ts';
import { hasPostgres, startPostgres } from '../../../../../tools/test-servers/postgres.ts';
import { isFullTest } from '../../../../../tools/test-size.ts';
import { type BalancedClient, balancedClient, balancedLoad } from '../../testing/balanced-load.ts';
import { onPostgres, type RunningService, serviceOn } from '../../testing/service-on.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const CONFIG = '/configuration/sys';
const admin = { username: 'admin', password: 'correct horse battery' };
const KAPTAIN_PEPPER = 'the same secret on all instances';
const LONG = 300_000;
const COUNT = 3;

const canRun = (kind: BalancerKind) => isFullTest && hasPostgres() && hasBalancer(kind);

describe.runIf(canRun('nginx'))('three instances behind nginx, as the guide configures it', () => {
  behind('nginx');
});
describe.runIf(canRun('HAProxy'))('three instances behind HAProxy, as the guide configures it', () => {
  behind('HAProxy');
});

function behind(kind: BalancerKind): void {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  let balancer: Balancer;
  let client: BalancedClient;
  const folders: ReturnType<typeof temporaryFolder>[] = [];
  const services: RunningService[] = [];
  let token: string;
  let kapsuleId: string;

  const startIn = (index: number, port = '0') =>
    serviceOn({
      ...onPostgres(server.config),
      KAPTAIN_PEPPER,
      KAPTAIN_DATA_DIR: folders[index]?.path ?? '',
      KAPTAIN_PORT: port,
    });
  const portOf = (index: number) => new URL(services[index]?.url ?? '').port;

  beforeAll(async () => {
    folders.push(...Array.from({ length: COUNT }, () => temporaryFolder()));
    server = await startPostgres({ settings: { max_connections: '200' } });
    for (const { path } of folders)
      writeFileSync(join(path, 'kaptain.json'), JSON.stringify({ trustedProxies: ['127.0.0.1'] }));
    for (const place of folders.keys()) services.push(await startIn(place));
    balancer = await startBalancer(
      kind,
      services.map((_, index) => Number(portOf(index))),
    );
    client = balancedClient(balancer.url);
    const { call } = client;
    // Health probes have to succeed first.
    while ((await call('GET', '/readyz')).status !== 200) await wait(100);
    await call('POST', '/api/user/init', { body: admin });
    token = String((await call('POST', '/auth/login', { body: admin })).body['accessToken']);
    const structure = { name: 'balanced', keyField: 'id', fields: [{ name: 'comment', type: 'text' }] };
    kapsuleId = String((await call('POST', '/api/kapsule', { token, body: structure })).body['_id']);
  }, LONG);
  afterAll(async () => {
    client?.close();
    await balancer?.stop();
    await Promise.all(services.map((service) => service[Symbol.asyncDispose]()));
    await server?.stop();
    for (const folder of folders) folder[Symbol.dispose]();
  }, LONG);

  const info = async () => (await client.call('GET', `${CONFIG}/get/info`, { token })).body;
  /** The answer of each instance itself. */
  const statesOf = () =>
    Promise.all(services.map(async (each) => (await each.call('GET', `${CONFIG}/state`, { token })).body));
  const askRestart = async () => {
    const ask = async () => (await client.call('POST', `${CONFIG}/restart/service`, { token })).status;
    await expect.poll(ask, { timeout: 30_000, interval: 500 }).toBe(200);
  };
  const everyoneRestarted = async () => {
    const due = async () =>
      (await statesOf()).flatMap((state) =>
        (state['instances'] as { isRestartDue: boolean }[]).map(({ isRestartDue }) => isRestartDue),
      );
    await expect
      .poll(due, { timeout: 90_000, interval: 200 })
      .toEqual(Array.from({ length: COUNT * COUNT }, () => false));
  };

  it('restart one after the other without a failed request', { timeout: LONG }, async () => {
    const load = balancedLoad(client, kapsuleId, token);
    for (const userId of ['first', 'second']) {
      const saved = await client.call('PUT', `${CONFIG}/update/info`, {
        token,
        body: { settings: { userId } },
      });
      expect(saved.body).toMatchObject({ status: 'success' });
      await askRestart();
      await everyoneRestarted();
    }
    // The old workers linger for ten seconds.
    await wait(15_000);
    expect(await load.end()).toEqual([]);
    expect(load.served()).toBeGreaterThan(500);
    const { generation } = await info();
    for (const state of await statesOf()) expect(state).toMatchObject({ running: generation });
  });

  it('are replaced one after the other, as the guide says, without a failed request', {
    timeout: LONG,
  }, async () => {
    const load = balancedLoad(client, kapsuleId, token);
    for (const place of [0, 1]) {
      const port = portOf(place);
      await balancer.setOut(place, true);
      await wait(500);
      await services[place]?.[Symbol.asyncDispose]();
      services[place] = await startIn(place, port);
      await balancer.setOut(place, false);
      await wait(3000);
    }
    expect(await load.end()).toEqual([]);
  });

  it('lose only requests in flight when one is killed', { timeout: LONG }, async () => {
    const load = balancedLoad(client, kapsuleId, token);
    await wait(1000);
    const port = portOf(0);
    services[0]?.process.child.kill('SIGKILL');
    await wait(10_000);
    // At most one request of each of its four loops; nginx repeats those that only read.
    expect((await load.end()).length).toBeLessThanOrEqual(4);
    await services[0]?.[Symbol.asyncDispose]();
    services[0] = await startIn(0, port);
  });

  it('lose no request when one is stopped without being taken out', { timeout: LONG }, async () => {
    const load = balancedLoad(client, kapsuleId, token);
    await wait(1000);
    const port = portOf(0);
    await services[0]?.[Symbol.asyncDispose]();
    await wait(5000);
    expect(await load.end()).toEqual([]);
    services[0] = await startIn(0, port);
  });
}
