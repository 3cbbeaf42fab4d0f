import { randomBytes } from 'node:crypto';
import { openDataSource } from '@kaptain/data-sources';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mysqlBlock, postgresqlBlock } from '../../../../../tools/test-servers/blocks.ts';
import { hasMariadb, startMariadb } from '../../../../../tools/test-servers/mariadb.ts';
import { hasPostgres, startPostgres } from '../../../../../tools/test-servers/postgres.ts';
import { isFullTest, sized } from '../../../../../tools/test-size.ts';
import type { Caller } from '../../testing/caller.ts';
import { grant } from '../../testing/kapsules.ts';
import { upload } from '../../testing/multipart.ts';
import { qvdBytes } from '../../testing/qvd.ts';
import { listenLocally } from '../../testing/raw-socket.ts';
import { type SlowReader, slowReader } from '../../testing/slow-reader.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

type Server = Awaited<ReturnType<typeof startMariadb>> | Awaited<ReturnType<typeof startPostgres>>;

const kinds = [
  {
    type: 'postgresql',
    isThere: isFullTest && hasPostgres(),
    start: () => startPostgres(),
    block: postgresqlBlock,
  },
  { type: 'mysql', isThere: isFullTest && hasMariadb(), start: () => startMariadb(), block: mysqlBlock },
] as const;

/** As many as a request may carry. */
const ROWS_PER_CALL = 8;
const users = ['anna', 'ben', 'cleo', 'dora'];

for (const { type, isThere, start, block } of kinds)
  describe.runIf(isThere)(`slow readers of a data source on a real ${type}`, () => {
    let server: Server;
    let app: TestApp;
    let admin: Caller;
    let port: number;
    const kapsules: string[] = [];
    const callers = new Map<string, Caller>();

    /** Opened by the service of each test in turn. */
    let data: ReturnType<typeof temporaryFolder>;

    /** A kapsule with a table of its own and rows of 100 kB. */
    async function addKapsule(name: string, rows: number): Promise<string> {
      const fields = [{ name: 'Comment', type: 'text' }];
      const structure = { name, table: name, keyField: 'Id', database: type, tableName: name, fields };
      const { status, body } = await admin.post('/api/kapsule', structure);
      expect([status, body.message]).toEqual([200, undefined]);
      const id = String(body['_id']);
      for (let first = 0; first < rows; first += ROWS_PER_CALL) {
        const granules = Array.from({ length: Math.min(ROWS_PER_CALL, rows - first) }, (_, n) => ({
          key: String(first + n),
          data: { Comment: randomBytes(50_000).toString('hex') },
        }));
        const stored = await admin.call('PUT', `/api/kapsule/${id}/granules`, { body: { granules } });
        expect(stored.status).toBe(200);
      }
      const kapsule = await app.store.kapsules.get(id);
      for (const user of users) await grant(app.store, user, ['READ'], kapsule ? [kapsule] : []);
      return id;
    }
    const read = (user: string, id = kapsules[0]) =>
      slowReader(port, `/api/kapsule/${id}/sql/read?format=ndjson`, {
        authorization: `Bearer ${callers.get(user)?.token}`,
      });

    async function openService(readSpanMs: number): Promise<void> {
      app = await testApp({
        folder: data.path,
        settingsFile: { settings: {}, [type]: block(server) },
        timeouts: { readSpanMs },
      });
      admin = await app.asAdmin();
      for (const user of users) callers.set(user, await app.asUser(user));
      port = await listenLocally(app.http);
    }

    beforeAll(async () => {
      data = temporaryFolder();
      server = await start();
      await openService(30_000);
      await using _ = app;
      kapsules.push(await addKapsule('large', 120), await addKapsule('small', 2));
    });
    afterAll(async () => {
      data?.[Symbol.dispose]();
      await server?.stop();
    });

    it('leave connections to short calls and to another user', async () => {
      await openService(30_000);
      await using _ = app;
      const slow = [];
      for (let count = 0; count < 12; count++) slow.push(await read(users[count % 3] ?? ''));
      expect(new Set(slow.map(({ status }) => status))).toEqual(new Set([200, 429]));
      const pages = await Promise.all(
        kapsules.flatMap((id) =>
          [...callers.values()].map((caller) =>
            caller.get(`/api/kapsule/${id}/sql/read/internal?page=1&size=1`),
          ),
        ),
      );
      expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200));
      const other = await read('dora');
      expect((await other.readAll()).lines).toBe(120);
      for (const reader of slow) reader.leave();
    });

    it('are disconnected, and their database connections are reused', async () => {
      await openService(300);
      await using _ = app;
      for (let round = 0; round < sized(3, 1); round++) {
        const slow: SlowReader[] = [];
        const opened = async () => {
          const reader = await read('anna');
          if (reader.status === 200) slow.push(reader);
          return slow.length;
        };
        await expect.poll(opened).toBe(4);
        const cut = () => app.logLines.filter((line) => line.includes('reads too slowly')).length;
        await expect.poll(cut).toBe(4 * (round + 1));
        for (const reader of slow) await expect(reader.readAll()).rejects.toThrow('aborted');
      }
      const counts = await Promise.all(
        Array.from({ length: 12 }, () => admin.get(`/api/kapsule/${kapsules[1]}/sql/read/internal?page=1`)),
      );
      expect(counts.map(({ status }) => status)).toEqual(counts.map(() => 200));
    });

    it.runIf(type === 'mysql')(
      'share their limit with imports, which leave connections to short calls',
      async () => {
        // Of a pool of two connections, one is for streams and imports.
        const small = { ...block(server), MYSQL_POOL: 2 };
        await using app = await testApp({ settingsFile: { settings: {}, [type]: small } });
        admin = await app.asAdmin();
        const fields = [{ name: 'Comment', type: 'text' as const }];
        const binding = { table: 'imported', keyField: 'Id', fields };
        const structure = { name: 'imported', table: 'imported', keyField: 'Id', database: type, fields };
        const made = await admin.post('/api/kapsule', { ...structure, tableName: 'imported' });
        const id = String(made.body['_id']);
        const kapsule = await app.store.kapsules.get(id);
        const importers = await Promise.all(['anna', 'ben'].map((name) => app.asUser(name)));
        for (const name of ['anna', 'ben'])
          await grant(app.store, name, ['READ', 'DELETE'], kapsule ? [kapsule] : []);
        const content = qvdBytes(['Id', 'Comment'], [['A', 'one']]);
        const file = { name: 'a.qvd', field: 'files[]', content };
        const other = openDataSource(type, small, { allowedFolders: [] });
        const importing = await other.transaction(binding, async (writes) => {
          // Locks the table, so that an import holds its connection until this transaction ends.
          await writes.markReloaded(0);
          const all = importers.map((user) =>
            upload(user, `/api/kapsule/import/qvd/data?kapsuleId=${id}`, [file]),
          );
          const { status, body, headers } = await Promise.race(all);
          expect([status, headers['retry-after'], body.message]).toEqual([
            429,
            '5',
            expect.stringContaining('Nothing was stored'),
          ]);
          const page = `/api/kapsule/${id}/sql/read/internal?page=1`;
          expect((await admin.get(page)).status).toBe(200);
          return { all };
        });
        const statuses = (await Promise.all(importing.all)).map(({ status }) => status);
        expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 429]);
        await other.close();
      },
    );

    it('that read fast enough get every row, even if it takes longer than a span', async () => {
      await openService(1500);
      await using _ = app;
      const { sha256 } = await (await read('anna')).readAll();
      const began = performance.now();
      expect((await (await read('ben')).readAll(16)).sha256).toBe(sha256);
      expect(performance.now() - began).toBeGreaterThan(1500);
    });
  });
