import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasMongodb, startMongodb } from '../../../../../tools/test-servers/mongodb.ts';
import { hasPostgres, startPostgres } from '../../../../../tools/test-servers/postgres.ts';
import { isFullTest, sized } from '../../../../../tools/test-size.ts';
import { databaseOf } from '../../base/database/open-store.ts';
import type { Caller } from '../../testing/caller.ts';
import { onServer } from '../../testing/service-on.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { type TestApp, type TestAppOptions, testApp } from '../../testing/test-app.ts';

const databases = [
  {
    name: 'the embedded store',
    isHere: true,
    async start() {
      const { path: folder } = temporaryFolder();
      return { options: { folder }, stop: async () => rmSync(folder, { recursive: true, force: true }) };
    },
  },
  {
    name: 'PostgreSQL',
    isHere: hasPostgres(),
    async start() {
      const server = await startPostgres();
      const options = { database: databaseOf({}, onServer('postgres', server.config)), pepper: 'the same' };
      return { options, stop: () => server.stop() };
    },
  },
  {
    name: 'MongoDB',
    isHere: isFullTest && hasMongodb(),
    async start() {
      const server = await startMongodb();
      const config = { ...server.config, database: `limits_${process.pid}` };
      const options = { database: databaseOf({}, onServer('mongodb', config)), pepper: 'the same' };
      return { options, stop: () => server.stop() };
    },
  },
];
const ROUNDS = sized(20, 3);
const MOST = 3;

describe.each(databases.filter(({ isHere }) => isHere))('on $name', (database) => {
  let server: { options: TestAppOptions; stop: () => Promise<unknown> };
  let apps: TestApp[] = [];
  beforeAll(async () => {
    server = await database.start();
    const kapsuleLimits = { kapsules: MOST, definitionBytes: 1024 * 1024 };
    const options = { ...server.options, settings: { apiKey: true, kapsuleLimits } };
    apps = [await testApp(options), await testApp(options)];
  });
  afterAll(async () => {
    for (const app of apps) await app[Symbol.asyncDispose]();
    await server?.stop();
  });

  it('creations in parallel on two instances do not pass the limit', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const name = `rita ${round}`;
      const callers: Caller[] = [];
      for (const app of apps) callers.push(await app.asUser(name, { isCreate: true }));
      const create = (caller: Caller, n: number) =>
        caller.post('/api/kapsule', {
          name: `${name} ${n}`,
          keyField: 'id',
          fields: [{ name: 'comment', type: 'text' }],
        });
      const many = Array.from({ length: 2 * MOST }, (_, n) => n);
      const answers = await Promise.all(
        callers.flatMap((caller, instance) => many.map((n) => create(caller, 2 * n + instance))),
      );
      const codes = answers.map(({ status, body }) => (status === 200 ? 'made' : body.code));
      expect(codes.filter((code) => code === 'made')).toHaveLength(MOST);
      expect(new Set(codes)).toEqual(new Set(['made', 'LIMIT_REACHED']));
    }
  }, 120_000);
});
