import fastify from 'fastify';
import { MongoClient } from 'mongodb';

/** A typical hand-written service on MongoDB, without authentication: `server.ts <url> <database>`. */
const [url = '', database = ''] = process.argv.slice(2);
const client = new MongoClient(url, { maxPoolSize: 10 });
const kapsules = client.db(database).collection<{ _id: string }>('bench_kapsules');
const app = fastify({ logger: false });

app.get('/rows', async () =>
  (await kapsules.find().sort({ _id: 1 }).toArray()).map((kapsule) => ({ ...kapsule, authority: ['READ'] })),
);

app.get('/one/:id', (request) => {
  const { id } = request.params as { id: string };
  return kapsules.findOne({ _id: id });
});

process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
