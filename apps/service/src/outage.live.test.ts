import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasOwnMongodb, startOwnMongodb } from '../../../tools/test-servers/mongodb.ts';
import { hasPostgres, startPostgres } from '../../../tools/test-servers/postgres.ts';
import { isFullTest, sized, soonMs } from '../../../tools/test-size.ts';
import { SaveJournal } from './testing/save-journal.ts';
import { onPostgres, onServer, type RunningService, serviceOn } from './testing/service-on.ts';

const KILLS = sized(20, 1);
const PASSWORD = 'correct horse battery';
const account = { username: 'admin', password: PASSWORD };

/** The calls whose answer during an outage could be mistaken for another result. */
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

/** All servers keep acknowledged writes on their disk. */
const databases = [
  {
    name: 'PostgreSQL',
    isHere: isFullTest && hasPostgres(),
    async start() {
      const server = await startPostgres({ fsync: true });
      return { server, env: onServer('postgres', server.config) };
    },
  },
  {
    name: 'MongoDB',
    isHere: isFullTest && hasOwnMongodb(),
    async start() {
      const server = await startOwnMongodb();
      return { server, env: onServer('mongodb', { ...server.config, database: 'outage' }) };
    },
  },
];

describe.each(databases.filter(({ isHere }) => isHere))('the service on $name', (database) => {
  let server: Awaited<ReturnType<typeof database.start>>['server'];
  let service: RunningService;
  let token: string;
  beforeAll(async () => {
    const started = await database.start();
    server = started.server;
    service = await serviceOn(started.env);
    await service.call('POST', '/api/user/init', { body: account });
    token = (await service.call('POST', '/auth/login', { body: account })).body.accessToken;
  });
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]();
    await server?.stop();
  });

  /** Makes every kind of call while the database is not available. */
  async function askAll(round: number): Promise<void> {
    // Logins only in the first round, because of the rate limit.
    const asked = calls.filter(([, path]) => path !== '/auth/login' || round < 4);
    const answers = await Promise.all(
      asked.map(([method, path, body]) => service.call(method, path, { token, body })),
    );
    for (const [n, { status, retryAfter, ms, body }] of answers.entries()) {
      const path = asked[n]?.[1];
      // Once the admin is known to exist, these calls need no database.
      if (['initialized', 'adminExist'].includes(body.status)) continue;
      expect([path, status, Number(retryAfter) > 0, ms < soonMs]).toEqual([path, 503, true, true]);
      expect(body['code']).toBe('UNAVAILABLE');
    }
    expect((await service.call('GET', '/healthz')).status).toBe(200);
  }

  /** Runs outages under load; returns every wrong answer except 503. */
  async function outages(rounds: number, leave: () => unknown, comeBack: () => unknown) {
    const acknowledged: string[] = [];
    const strange: unknown[] = [];
    const state = { isDone: false };
    const open = new Set<Promise<unknown>>();
    const call = async (...args: Parameters<typeof service.call>) => {
      const answer = service.call(...args);
      open.add(answer);
      const answered = await answer;
      open.delete(answer);
      if (![200, 503].includes(answered.status)) strange.push([args[1], answered.status]);
      return answered;
    };
    const structure = { name: randomUUID(), keyField: 'id', fields: [{ name: 'comment', type: 'text' }] };
    const { _id: kapsuleId } = (await service.call('POST', '/api/kapsule', { token, body: structure })).body;
    const journal = new SaveJournal({ service: { call }, token, kapsuleId });
    journal.start(6);
    const load = Array.from({ length: 6 }, async () => {
      while (!state.isDone) {
        const groupname = randomUUID();
        const body = { groupname, authority: ['READ'], kapsules: [], users: [] };
        const [written] = await Promise.all([
          call('POST', '/api/group/create', { token, body }),
          call('GET', '/api/kapsule', { token }),
        ]);
        if (written.status === 200) acknowledged.push(groupname);
        // Without a pause the load would take the processor that the recovery needs.
        await setTimeout(40);
      }
    });
    const outage = async (round: number) => {
      const before = acknowledged.length;
      await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 5));
      await leave();
      const answered = Promise.all(open).then(() => 'answered');
      const first = Promise.race([answered, setTimeout(soonMs, 'late')]);
      await askAll(round);
      expect(await first).toBe('answered');
      await comeBack();
      await vi.waitFor(
        async () => {
          expect((await service.call('GET', '/readyz')).status).toBe(200);
          expect((await service.call('GET', '/api/kapsule', { token })).status).toBe(200);
        },
        { interval: 50 },
      );
    };
    try {
      for (let round = 0; round < rounds; round += 1) await outage(round);
    } finally {
      state.isDone = true;
      await Promise.all([...load, journal.stop()]);
    }
    const { list } = await service.call('GET', '/api/group/list', { token });
    const stored = new Set(list.map(({ groupname }) => groupname));
    const { status } = (await service.call('GET', '/api/user/status')).body;
    expect(await journal.check()).toEqual(journal.sound);
    const lost = acknowledged.filter((name) => !stored.has(name));
    return { strange, lost, status };
  }
  const well = { strange: [], lost: [], status: 'initialized' };

  it(`answers 503 and no other error when it is killed (${KILLS} times), and loses nothing it has acknowledged`, async () => {
    const outcome = await outages(
      KILLS,
      () => server.kill(),
      () => server.start(),
    );
    expect(outcome).toEqual(well);
  });

  it(`answers 503 also when it hangs (${KILLS} times), and recovers when it does`, async () => {
    onTestFinished(() => server.thaw());
    const outcome = await outages(
      KILLS,
      () => server.freeze(),
      () => server.thaw(),
    );
    expect(outcome).toEqual(well);
  });
});

describe.runIf(isFullTest && hasPostgres())('the service while the disk of its PostgreSQL is full', () => {
  it('answers 507 to writes, still reads, keeps acknowledged writes, and writes again when there is space', async () => {
    const server = await startPostgres({ diskMegabytes: 80 });
    onTestFinished(() => server.stop());
    await using service = await serviceOn(onPostgres({ ...server.config }));
    await service.call('POST', '/api/user/init', { body: account });
    const token = (await service.call('POST', '/auth/login', { body: account })).body.accessToken;
    const acknowledged: unknown[] = [];
    const write = async (name: string) => {
      // Random, so that it can't be compressed.
      const fields = Array.from({ length: 100 }, () => ({ name: `f-${randomUUID()}`, type: 'text' }));
      const body = { name, keyField: 'id', fields };
      const { status, body: answer } = await service.call('POST', '/api/kapsule', { token, body });
      if (status === 200) acknowledged.push(name);
      return [status, answer['code']];
    };
    const stored = async () =>
      new Set((await service.call('GET', '/api/kapsule', { token })).list.map(({ name }) => name));
    server.fillDisk();
    // The last blocks have space for some more rows.
    for (let n = 0; (await write(`last ${n}`))[0] === 200; n += 1) expect(n).toBeLessThan(500);
    for (let n = 0; n < 3; n += 1) expect(await write(`full ${n}`)).toEqual([507, 'DISK_FULL']);
    for (const path of ['/readyz', '/api/user/list', '/api/user/status']) {
      expect([path, (await service.call('GET', path, { token })).status]).toEqual([path, 200]);
    }
    expect(await stored()).toEqual(new Set(acknowledged));
    server.freeDisk();
    expect(await write('room again')).toEqual([200, undefined]);
    expect(await stored()).toEqual(new Set(acknowledged));
  });
});
