import { MongoClient } from 'mongodb';
import { saveServer } from './save-server.ts';

/**
 * A bare handler on MongoDB, without login: `mongodb-server.ts <url> <database>`. Two writes that are on disk before the
 * answer, without a transaction, which a single server does not have.
 */
const [url = '', name = ''] = process.argv.slice(2);
const client = await new MongoClient(url, { writeConcern: { w: 'majority', journal: true } }).connect();
const database = client.db(name);
const granules = database.collection<{ _id: string; version: number }>('bare_granules');
const audit = database.collection('bare_audit');

await saveServer(async ({ kapsule, key, data, at }) => {
  const values = { user: 'admin', data, updatedAt: at };
  const stored = await granules.findOneAndUpdate(
    { _id: `${kapsule} ${key}` },
    { $set: values, $inc: { version: 1 } },
    { upsert: true, returnDocument: 'after' },
  );
  await audit.insertOne({
    at,
    actor: 'admin',
    action: 'granule.upsert',
    target: kapsule,
    after: { keys: [key] },
  });
  return stored?.version ?? 0;
});
