import { setTimeout } from 'node:timers/promises';
import { MongoClient } from 'mongodb';

/** Makes a server that was started for it a replica set of one, as the tests of transactions need. */
export async function initiate(name: string, at: { host: string; port: number }): Promise<void> {
  const host = `${at.host}:${at.port}`;
  const client = new MongoClient(`mongodb://${host}/?directConnection=true`);
  const admin = client.db('admin');
  try {
    await admin.command({ replSetInitiate: { _id: name, members: [{ _id: 0, host }] } });
    while (!(await admin.command({ hello: 1 }))['isWritablePrimary']) await setTimeout(100);
  } finally {
    await client.close();
  }
}
