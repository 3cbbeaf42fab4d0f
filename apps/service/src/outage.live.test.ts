import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgres } from '../../../tools/test-servers/postgres.ts';
import { onPostgres, type RunningService, serviceOn } from './testing/service-on.ts';

const KILLS = Number(process.env['KAPTAIN_TEST_KILLS'] ?? 3);
const PASSWORD = 'correct horse battery';
const account = { username: 'admin', password: PASSWORD };

/** Everything a caller could mistake an outage for something else in. */
const calls: [method: string, path: string, body?: unknown][] = [
  ['GET', '/readyz'],
  ['GET', '/api/user/status'],
  ['POST', '/auth/login', account],
  ['POST', '/api/user/init', account],
  ['GET', '/api/kapsule'],
  ['GET', '/api/user/list'],
  ['GET', '/api/group/list'],
  ['POST', '/api/group/create', { groupname: 'down', authority: ['READ'], kapsules: [], users: [] }],
  ['POST', '/api/download/ticket', { path: '/api/kapsule/export/kapsule?kapsuleId=x' }],
  ['GET', '/api/kapsule/000000000000000000000000'],
];

describe.runIf(hasPostgres())('the service while its PostgreSQL is killed', () => {
  let server: PostgresServer;
  let service: RunningService;
  let token: string;
  beforeAll(async () => {
    server = await startPostgres({ fsync: true });
    service = await serviceOn(onPostgres({ ...server.config }));
    await service.call('POST', '/api/user/init', { body: account });
    token = (await service.call('POST', '/auth/login', { body: account })).body.accessToken;
  }, 60_000);
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await server.stop();
  }, 30_000);

  it(`answers 503 at once and nothing worse, ${KILLS} times, and loses nothing it has acknowledged`, {
    timeout: 60_000 + KILLS * 15_000,
  }, async () => {
    const acknowledged: string[] = [];
    const strange: unknown[] = [];
    const state = { isDone: false };
    const load = Array.from({ length: 6 }, async (_, worker) => {
      for (let n = 0; !state.isDone; n += 1) {
        const groupname = `g${worker}-${n}`;
        const body = { groupname, authority: ['READ'], kapsules: [], users: [] };
        const [written, read] = await Promise.all([
          service.call('POST', '/api/group/create', { token, body }),
          service.call('GET', '/api/kapsule', { token }),
        ]);
        if (written.status === 200) acknowledged.push(groupname);
        for (const { status, ms } of [written, read]) {
          if ((status !== 200 && status !== 503) || ms > 2_000) strange.push({ status, ms });
        }
        await setTimeout(10);
      }
    });
    const outage = async (round: number) => {
      const before = acknowledged.length;
      await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 5), { timeout: 10_000 });
      await server.kill();
      // Later ones would hear that they try to log in too often.
      const asked = calls.filter(([, path]) => path !== '/auth/login' || round < 8);
      const answers = await Promise.all(
        asked.map(([method, path, body]) => service.call(method, path, { token, body })),
      );
      for (const [n, { status, retryAfter, ms, body }] of answers.entries()) {
        expect([asked[n]?.[1], status, Number(retryAfter) > 0, ms < 2_000]).toEqual([
          asked[n]?.[1],
          503,
          true,
          true,
        ]);
        expect(body['code']).toBe('UNAVAILABLE');
      }
      expect((await service.call('GET', '/healthz')).status).toBe(200);
      await server.start();
      await vi.waitFor(
        async () => {
          expect((await service.call('GET', '/readyz')).status).toBe(200);
          expect((await service.call('GET', '/api/kapsule', { token })).status).toBe(200);
        },
        { timeout: 3_000, interval: 50 },
      );
    };
    try {
      for (let round = 0; round < KILLS; round += 1) await outage(round);
    } finally {
      state.isDone = true;
      await Promise.all(load);
    }
    expect(strange).toEqual([]);
    const { list } = await service.call('GET', '/api/group/list', { token });
    const stored = new Set(list.map(({ groupname }) => groupname));
    expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
    expect((await service.call('GET', '/api/user/status')).body.status).toBe('initialized');
  });
});

describe.runIf(hasPostgres())('the service while the disk of its PostgreSQL is full', () => {
  it('answers 507 to writes, goes on reading, keeps what it has acknowledged, and writes again when there is room', async () => {
    const server = await startPostgres({ diskMegabytes: 80 });
    onTestFinished(() => server.stop());
    await using service = await serviceOn(onPostgres({ ...server.config }));
    await service.call('POST', '/api/user/init', { body: account });
    const token = (await service.call('POST', '/auth/login', { body: account })).body.accessToken;
    const acknowledged: unknown[] = [];
    const write = async (name: string) => {
      // Large, and nothing that can be made smaller.
      const fields = Array.from({ length: 100 }, () => ({ name: `f-${randomUUID()}`, type: 'text' }));
      const body = { name, keyField: 'id', fields };
      const { status, body: answer } = await service.call('POST', '/api/kapsule', { token, body });
      if (status === 200) acknowledged.push(name);
      return [status, answer['code']];
    };
    const stored = async () =>
      (await service.call('GET', '/api/kapsule', { token })).list.map(({ name }) => name);
    server.fillDisk();
    // The last blocks have room for some more.
    for (let n = 0; (await write(`last ${n}`))[0] === 200; n += 1) expect(n).toBeLessThan(500);
    for (let n = 0; n < 3; n += 1) expect(await write(`full ${n}`)).toEqual([507, 'DISK_FULL']);
    for (const path of ['/readyz', '/api/user/list', '/api/user/status']) {
      expect([path, (await service.call('GET', path, { token })).status]).toEqual([path, 200]);
    }
    expect((await stored()).toSorted()).toEqual(acknowledged.toSorted());
    server.freeDisk();
    expect(await write('room again')).toEqual([200, undefined]);
    expect((await stored()).toSorted()).toEqual(acknowledged.toSorted());
  }, 60_000);
});
