import { type Document, MongoClient } from 'mongodb';
import { serveBare } from './bare.ts';

/**
 * A typical hand-written service on the same MongoDB: `bare-mongodb.ts <url> <database>`. A save is two writes that are on disk
 * before the answer, without a transaction, which a single server does not have.
 */
const [url = '', name = ''] = process.argv.slice(2);
const client = await new MongoClient(url, { maxPoolSize: 10 }).connect();
const database = client.db(name);
const kapsules = database.collection<Document & { _id: string }>('bare_kapsules');
const stored = await database.collection<{ _id: string; doc: string }>('kapsules').find().toArray();
await kapsules.insertMany(stored.map(({ _id, doc }) => ({ ...(JSON.parse(doc) as Document), _id })));
const isOnDisk = { writeConcern: { w: 'majority', journal: true } } as const;
const granules = database.collection<{ _id: string; version: number }>('bare_granules', isOnDisk);
const audit = database.collection('bare_audit', isOnDisk);

await serveBare({
  rows: async () =>
    (await kapsules.find().sort({ _id: 1 }).toArray()).map((kapsule) => ({
      ...kapsule,
      authority: ['READ'],
    })),
  one: (id) => kapsules.findOne({ _id: id }),
  async save({ kapsule, key, data, at }) {
    const saved = await granules.findOneAndUpdate(
      { _id: `${kapsule} ${key}` },
      { $set: { user: 'admin', data, updatedAt: at }, $inc: { version: 1 } },
      { upsert: true, returnDocument: 'after' },
    );
    const after = { keys: [key] };
    await audit.insertOne({ at, actor: 'admin', action: 'granule.upsert', target: kapsule, after });
    return saved?.version ?? 0;
  },
});
