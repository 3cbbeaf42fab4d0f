import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasMongodb, startMongodb } from '../../../../../tools/test-servers/mongodb.ts';
import { hasPostgres, startPostgres } from '../../../../../tools/test-servers/postgres.ts';
import { isFullTest } from '../../../../../tools/test-size.ts';
import { testCertificate } from '../../testing/certificates.ts';
import { multipart } from '../../testing/multipart.ts';
import { onServer, type RunningService, serviceOn } from '../../testing/service-on.ts';
import { startProcess } from '../../testing/service-process.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const CONFIG = '/configuration/sys';
const PUT = `${CONFIG}/update/info`;
const admin = { username: 'admin', password: 'correct horse battery' };
const KAPTAIN_PEPPER = 'the same secret on all instances';
/** Longer than the time between two polls of an instance. */
const SOON = { timeout: 15_000, interval: 100 };

const databases = [
  {
    name: 'PostgreSQL',
    isHere: hasPostgres(),
    async start() {
      const server = await startPostgres();
      return { env: onServer('postgres', server.config), stop: () => server.stop() };
    },
  },
  {
    name: 'MongoDB',
    isHere: isFullTest && hasMongodb(),
    async start() {
      const server = await startMongodb();
      const config = { ...server.config, database: `shared_${process.pid}` };
      return { env: onServer('mongodb', config), stop: () => server.stop() };
    },
  },
];

describe.each(databases.filter(({ isHere }) => isHere))(
  'the settings of two instances on one $name',
  (database) => {
    let server: Awaited<ReturnType<typeof database.start>>;
    const folders = [temporaryFolder(), temporaryFolder()] as const;
    let a: RunningService;
    let b: RunningService;
    let token: string;

    const startIn = (folder: string, env = {}) =>
      serviceOn({ ...server.env, KAPTAIN_PEPPER, KAPTAIN_DATA_DIR: folder, ...env });

    beforeAll(async () => {
      server = await database.start();
      // A file as earlier versions wrote it.
      writeFileSync(join(folders[0].path, 'settings.json'), JSON.stringify({ settings: { apiKey: true } }));
      a = await startIn(folders[0].path);
      b = await startIn(folders[1].path);
      await a.call('POST', '/api/user/init', { body: admin });
      token = (await a.call('POST', '/auth/login', { body: admin })).body.accessToken;
    });
    afterAll(async () => {
      await Promise.all([a, b].map((service) => service?.[Symbol.asyncDispose]()));
      await server?.stop();
      for (const folder of folders) folder[Symbol.dispose]();
    });

    const info = async (at: RunningService) => (await at.call('GET', `${CONFIG}/get/info`, { token })).body;
    const state = async (at: RunningService) => (await at.call('GET', `${CONFIG}/state`, { token })).body;
    const put = (at: RunningService, body: object) => at.call('PUT', PUT, { token, body });
    const restart = async (at: RunningService) => {
      // A restart is refused for ten seconds after the one before.
      const ask = async () => (await at.call('POST', `${CONFIG}/restart/service`, { token })).status;
      await expect.poll(ask, { timeout: 30_000, interval: 500 }).toBe(200);
    };
    const running = async () => (await Promise.all([a, b].map(state))).map((each) => each['running']);
    const instances = async (at: RunningService) =>
      (await at.call('GET', '/api/status', { token })).body as unknown as {
        instances: {
          name: string;
          generation: number;
          isLive: boolean;
          failure: { reason: string } | null;
        }[];
        checks: { name: string; state: string; sentence: string }[];
      };

    async function upload(at: RunningService, name: string): Promise<number> {
      const { body, headers } = multipart([{ field: 'file', name, content: testCertificate(name) }]);
      const response = await fetch(`${at.url}${CONFIG}/upload/file/${name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, ...headers },
        body: new Uint8Array(body),
      });
      return response.status;
    }

    it('are those that the first instance had in its files, and the second one takes them with an empty folder', async () => {
      expect(await info(b)).toMatchObject({ generation: 1, settings: { apiKey: true } });
      expect(await state(b)).toMatchObject({ running: 1, lastApply: { status: 'applied' } });
    });

    it('act on both: an API key that is switched off on one opens nothing on the other, seconds later', async () => {
      const key = String((await a.call('GET', '/api/privatekey/get', { token })).body['apikey']);
      await a.call('POST', '/api/privatekey/create', { token, body: { name: 'key', apikey: key } });
      const use = async (at: RunningService) =>
        (
          await at.call('POST', '/api/kapsule', {
            key,
            body: { name: `k ${Math.random()}`, keyField: 'id', fields: [] },
          })
        ).status;
      expect(await use(b)).not.toBe(401);
      expect((await put(a, { settings: { apiKey: false } })).body.status).toBe('success');
      expect(await use(a)).toBe(401);
      await expect.poll(() => use(b), SOON).toBe(401);
      expect(await info(b)).toMatchObject({ generation: 2, settings: { apiKey: false } });
    });

    it('do not mix the log files of the instances: each tells whose its files are, and answers for no other', async () => {
      const [nameA, nameB] = (await instances(a)).instances.map(({ name }) => name).toSorted();
      const headers = { authorization: `Bearer ${token}` };
      const ask = (at: RunningService, what: string, instance: string) =>
        fetch(`${at.url}/api/log/sys/${what}?instance=${encodeURIComponent(instance)}`, { headers });
      const { list } = await a.call('GET', '/api/log/sys/files', { token });
      const named = list.map((file) => String(file['instance']));
      const [ofA = '', ofB = ''] = named[0] === nameA ? [nameA, nameB] : [nameB, nameA];
      expect(new Set(named)).toEqual(new Set([ofA]));
      for (const what of ['files', 'sys/system-current.log/tail', 'sys/system-current.log/download']) {
        expect([what, (await ask(a, what, ofA)).status]).toEqual([what, 200]);
        const refused = await ask(b, what, ofA);
        expect([what, refused.status]).toEqual([what, 421]);
        expect(await refused.json()).toMatchObject({ code: 'OTHER_INSTANCE' });
        expect([what, (await ask(b, what, ofB)).status]).toEqual([what, 200]);
      }
    });

    it('have one winner when two ADMINs save on two instances; the other one gets 412', async () => {
      for (let round = 0; round < 3; round += 1) {
        const { generation } = await info(a);
        const save = async (at: RunningService, userId: string) => {
          const response = await fetch(`${at.url}${PUT}`, {
            method: 'PUT',
            headers: {
              authorization: `Bearer ${token}`,
              'content-type': 'application/json',
              'if-match': `"${String(generation)}"`,
            },
            body: JSON.stringify({ settings: { userId } }),
          });
          return response.status;
        };
        const statuses = await Promise.all([save(a, `a ${round}`), save(b, `b ${round}`)]);
        expect(statuses.toSorted()).toEqual([200, 412]);
        const [atA, atB] = await Promise.all([info(a), info(b)]);
        expect(atB).toEqual(atA);
        expect(atA['generation']).toBe(Number(generation) + 1);
      }
      const { body } = await a.call('GET', '/api/audit?action=settings.update', { token });
      expect(body['data']).toHaveLength(4);
    });

    it.runIf(isFullTest)(
      'are saved on one instance with a certificate that was uploaded to the other',
      async () => {
        expect([await upload(a, 'server.pem'), await upload(b, 'server_key.pem')]).toEqual([200, 200]);
        const has = (name: string) => b.call('GET', `${CONFIG}/has/file/kaptain/${name}`, { token });
        expect((await has('server.pem')).status).toBe(200);
        expect((await put(b, { settings: { https: true } })).body).toMatchObject({ status: 'success' });
        const key = testCertificate('server_key.pem');
        const kept = () =>
          [a, b].map((_, index) => {
            const { files } = JSON.parse(
              readFileSync(join(folders[index]?.path ?? '', 'settings', '000006.json'), 'utf8'),
            ) as { files: Record<string, string> };
            return readFileSync(
              join(folders[index]?.path ?? '', 'certificates', files['server_key.pem'] ?? ''),
            ).equals(key);
          });
        await expect
          .poll(() => existsSync(join(folders[0].path, 'settings', '000006.json')), SOON)
          .toBe(true);
        expect(kept()).toEqual([true, true]);
        expect((await put(a, { settings: { https: false } })).body).toMatchObject({ status: 'success' });
      },
    );

    it('act after one restart, for which each instance takes its turn, and one is ready at every moment', async () => {
      const { generation } = await info(a);
      const over = new AbortController();
      const [refused, answered] = [[] as string[], [0, 0]];
      const asking = [a, b].map(async ({ url }, index) => {
        while (!over.signal.aborted) {
          const other = [b, a][index]?.url ?? '';
          const isReady = async (at: string) =>
            (await fetch(`${at}/readyz`).catch(() => undefined))?.status === 200;
          if (!(await isReady(url)) && !(await isReady(other))) refused.push(url);
          answered[index] = (answered[index] ?? 0) + 1;
          await wait(20);
        }
      });
      await restart(b);
      await expect.poll(running, { ...SOON, timeout: 60_000 }).toEqual([generation, generation]);
      over.abort();
      await Promise.all(asking);
      expect(refused).toEqual([]);
      expect(Math.min(...answered)).toBeGreaterThan(10);
      const turns = [a, b].map(({ process }) => process.output().match(/is ready on/g)?.length);
      expect(turns).toEqual([2, 2]);
      const { checks, instances: rows } = await instances(a);
      expect(rows).toMatchObject([
        { generation, isLive: true },
        { generation, isLive: true },
      ]);
      expect(checks.find(({ name }) => name === 'Instances')).toMatchObject({ state: 'ok' });
    });

    it.runIf(isFullTest)(
      'that one instance can not apply leave it with the earlier ones, and the other one tells why',
      async () => {
        writeFileSync(join(folders[1].path, 'elsewhere'), 'a file where the folder of the logs would be');
        const { generation: before } = await info(a);
        expect(
          (await put(a, { settings: { apiKey: false }, system: { logPath: 'elsewhere' } })).body.status,
        ).toBe('success');
        await restart(a);
        const generation = Number(before) + 1;
        await expect.poll(running, { ...SOON, timeout: 40_000 }).toEqual([generation, before]);
        const told = async () => (await instances(a)).checks.find(({ name }) => name === 'Instances');
        await expect.poll(told, SOON).toMatchObject({
          state: 'warning',
          sentence: expect.stringMatching(/could not apply version \d+ of the settings: .*folder/),
        });
        expect(await state(b)).toMatchObject({
          generation,
          lastApply: { status: 'waiting', reason: expect.stringMatching(/folder/) },
        });
        expect((await state(a))['lastApply']).toMatchObject({ status: 'applied' });
        expect((await fetch(`${b.url}/readyz`)).status).toBe(200);
        rmSync(join(folders[1].path, 'elsewhere'));
      },
    );

    it.runIf(isFullTest)(
      'are applied by the others when one is killed during its restart, and by it at its next start',
      async () => {
        const saved = await put(b, { settings: { userId: 'killed' } });
        expect(saved.body.status).toBe('success');
        await restart(a);
        a.process.child.kill('SIGKILL');
        await a.process.ended;
        const { generation } = await info(b);
        await expect
          .poll(async () => (await state(b))['running'], { timeout: 60_000, interval: 500 })
          .toBe(generation);
        const told = async () => (await instances(b)).checks.find(({ name }) => name === 'Instances');
        expect(await told()).toMatchObject({
          state: 'warning',
          sentence: expect.stringMatching(/does not answer/),
        });
        await a[Symbol.asyncDispose]();
        a = await startIn(folders[0].path);
        expect((await state(a))['running']).toBe(generation);
      },
    );

    it.runIf(isFullTest)('are refused to an instance with another pepper, in one sentence', async () => {
      using folder = temporaryFolder();
      using started = startProcess({
        ...server.env,
        KAPTAIN_PEPPER: 'the secret of one that differs.....',
        KAPTAIN_DATA_DIR: folder.path,
      });
      expect(await started.ended).toBe(1);
      expect(started.output()).toMatch(
        /^The settings in the database were sealed with another KAPTAIN_PEPPER[^\n]*\n$/,
      );
    });
  },
);
