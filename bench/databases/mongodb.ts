import { join } from 'node:path';
import { newId, openMongoStore } from '@kaptain/store';
import { type Document, MongoClient } from 'mongodb';
import { type MongodbConfig, startMongodb } from '../../tools/test-servers/mongodb.ts';
import { newFolder, removeFolder } from '../kit/folders.ts';
import { timed } from '../kit/times.ts';
import type { BenchDatabase } from './database.ts';
import { variablesOf } from './variables.ts';

const urlOf = ({ host, port, user, password, useTls }: MongodbConfig) => {
  const account = user === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  return `mongodb://${account}${host}:${port}/?tls=${useTls}`;
};

/** The server that TEST_MONGODB_URI names, else a `mongod` on the PATH, else that of the tests. */
export async function mongodbDatabase(): Promise<BenchDatabase> {
  const server = await startMongodb();
  const config = { ...server.config, database: `bench-${newId()}` };
  const url = urlOf(config);
  const client = await new MongoClient(url).connect();
  const database = client.db(config.database);
  const of = (name: string) => database.collection<Document & { _id: string }>(name);
  const folder = newFolder();
  const granulesOf = async (kapsuleId: string) => ({
    k: (await of('granule_counts').findOne({ _id: kapsuleId }))?.['k'] as string,
  });
  return {
    kind: 'mongodb',
    name: 'MongoDB',
    folder,
    env: { ...variablesOf('mongodb', config), KAPTAIN_DB_USESSL: String(config.useTls) },
    pids: [],
    bare: {
      script: join(import.meta.dirname, 'bare-mongodb.ts'),
      args: [url, config.database],
      makesJson: false,
    },
    open: () => openMongoStore(config),
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
    // Its searches have no index that is filled later.
    unindexed: async () => 0,
    vacuum: async () => undefined,
    async [Symbol.asyncDispose]() {
      await database.dropDatabase();
      await client.close();
      await server.stop();
      removeFolder(folder);
    },
  };
}
