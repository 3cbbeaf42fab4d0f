import fastify, { type FastifyRequest } from 'fastify';

interface Save {
  kapsule: string;
  key: string;
  data: string;
  at: string;
}

/** The calls of a hand-written service on its database; answers are objects, or JSON as text. */
interface Handlers {
  /** The list of kapsules, built row by row. */
  rows: () => unknown;
  /** The list as JSON made by the database. */
  json?: () => unknown;
  one: (id: string) => unknown;
  /** Stores a granule and an audit entry; returns the version. */
  save: (given: Save) => Promise<number>;
}

interface Body {
  granules: { key: string; data: object }[];
}

/**
 * A service without login, rights, checks or logs; tells its parent its address. It also answers `/prepared` with the text
 * that its parent sent last: the upper bound for any service.
 */
export async function serveBare({ rows, json, one, save }: Handlers): Promise<void> {
  const app = fastify({ logger: false });
  let prepared = '';
  app.addHook('onRequest', async (_, reply) => {
    reply.type('application/json; charset=utf-8');
  });
  app.get('/prepared', async () => prepared);
  app.get('/rows', async () => rows());
  if (json) app.get('/json', async () => json());
  app.get('/one/:id', (request) => Promise.resolve(one((request.params as { id: string }).id)));
  const handler = async (request: FastifyRequest) => {
    const { kapsule } = request.params as { kapsule: string };
    const [{ key, data } = { key: '', data: {} }] = (request.body as Body).granules;
    const version = await save({ kapsule, key, data: JSON.stringify(data), at: new Date().toISOString() });
    return { upserted: 1, granules: [{ key, version }] };
  };
  app.route({ method: 'PUT', url: '/api/kapsule/:kapsule/granules', handler });
  process.on('message', (text: string) => {
    prepared = text;
    process.send?.('prepared');
  });
  process.once('disconnect', () => process.exit());
  process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
}
