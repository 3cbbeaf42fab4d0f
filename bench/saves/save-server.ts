import fastify, { type FastifyRequest } from 'fastify';

export interface Save {
  kapsule: string;
  key: string;
  data: string;
  at: string;
}

interface Body {
  granules: { key: string; data: object }[];
}

/** The call of the data API in a few lines, without login, rights, checks or logs; tells its parent its address. */
export async function saveServer(save: (given: Save) => Promise<number>): Promise<void> {
  const app = fastify({ logger: false });
  const handler = async (request: FastifyRequest) => {
    const { kapsule } = request.params as { kapsule: string };
    const [{ key, data } = { key: '', data: {} }] = (request.body as Body).granules;
    const version = await save({ kapsule, key, data: JSON.stringify(data), at: new Date().toISOString() });
    return { upserted: 1, granules: [{ key, version }] };
  };
  app.route({ method: 'PUT', url: '/api/kapsule/:kapsule/granules', handler });
  process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
}
