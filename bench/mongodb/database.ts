import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, openMongoStore } from '@kaptain/store';
import { type Document, MongoClient } from 'mongodb';
import { onServer } from '../../apps/service/src/testing/service-on.ts';
import { startMongodb } from '../../tools/test-servers/mongodb.ts';
import { timed } from '../granules-store/watch.ts';
import type { BenchDatabase } from '../stores/database.ts';

type Shape = Document & { _id: string };

const urlOf = ({
  host,
  port,
  user,
  password,
  useTls,
}: Record<'host' | 'user' | 'password', string> & { port: number; useTls: boolean }) => {
  const account = user === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  return `mongodb://${account}${host}:${port}/?tls=${useTls}`;
};

export async function mongodbDatabase(): Promise<BenchDatabase> {
  const server = await startMongodb();
  const config = { ...server.config, database: `bench-${newId()}` };
  const url = urlOf(config);
  const client = await new MongoClient(url).connect();
  const database = client.db(config.database);
  const of = (name: string) => database.collection<Shape>(name);
  const folder = mkdtempSync(join(tmpdir(), 'kaptain-bench-'));
  const granulesOf = async (kapsuleId: string) => ({
    k: (await of('granule_counts').findOne({ _id: kapsuleId }))?.['k'] as string,
  });
  return {
    name: 'MongoDB',
    folder,
    env: { ...onServer('mongodb', config), KAPTAIN_DB_USESSL: String(config.useTls) },
    open: () => openMongoStore(config),
    bare: { script: join(import.meta.dirname, 'server.ts'), args: [url, config.database], makesJson: false },
    async prepareBare() {
      const kapsules = (await of('kapsules').find().toArray()).map(({ _id, ['doc']: doc }) => ({
        ...(JSON.parse(doc as string) as Document),
        _id,
      }));
      await of('bench_kapsules').insertMany(kapsules);
    },
    async writeRows(kapsuleId) {
      const rows = await of('granules')
        .find(await granulesOf(kapsuleId))
        .toArray();
      const copy = of('bench_copy');
      // The first time there is no collection to drop.
      await copy.drop().catch(() => undefined);
      for (const { key, unique, partialFilterExpression: only } of await of('granules').indexes())
        await copy.createIndex(key, {
          ...(unique && { unique }),
          ...(only && { partialFilterExpression: only }),
        });
      return timed(() => copy.insertMany(rows, { ordered: false }));
    },
    async scan(kapsuleId, q) {
      const mine = await granulesOf(kapsuleId);
      let rows = 0;
      const ms = await timed(async () => {
        const found = of('granules').find({ ...mine, search: { $regex: q } }, { projection: { id: 1 } });
        rows = (await found.sort({ key: 1 }).limit(100).toArray()).length;
      });
      return { ms, rows };
    },
    settle: async () => undefined,
    async stop() {
      await database.dropDatabase();
      await client.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
