import fastify from 'fastify';

/** A bare Fastify that answers each path with prepared text: the upper bound for any service. */
const app = fastify({ logger: false });
app.get('/ready', () => 'ready');
process.on('message', ({ path, text }: { path: string; text: string }) => {
  prepared.set(path, text);
  process.send?.('stored');
});
const prepared = new Map<string, string>();
app.get('/*', (request, reply) =>
  reply.type('application/json; charset=utf-8').send(prepared.get(request.url) ?? ''),
);
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.(url);
