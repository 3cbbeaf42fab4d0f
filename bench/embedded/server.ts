import { DatabaseSync } from 'node:sqlite';
import fastify from 'fastify';

/** A typical hand-written service on SQLite, without authentication: `server.ts <file>`. */
const database = new DatabaseSync(process.argv[2] ?? '', { readOnly: true });
const app = fastify({ logger: false });

type Row = Record<string, string>;

const all = database.prepare(
  'SELECT k.*, f.fieldId, f.fieldName, f.fieldType FROM kapsules k JOIN fields f ON f.kapsule = k.id ORDER BY k.id, f.fieldId',
);
const one = database.prepare('SELECT doc FROM documents WHERE id = ?');

app.get('/rows', () => {
  const kapsules = new Map<string, { fields: unknown[] }>();
  for (const row of all.all() as Row[]) {
    const { id = '', fieldId: _id, fieldName: name, fieldType: type, ...rest } = row;
    const kapsule = kapsules.get(id) ?? { _id: id, ...rest, authority: ['READ'], fields: [] as unknown[] };
    kapsules.set(id, kapsule);
    kapsule.fields.push({ _id, name, type });
  }
  return [...kapsules.values()];
});

app.get('/one/:id', (request, reply) => {
  const { id } = request.params as { id: string };
  return reply.type('application/json; charset=utf-8').send((one.get(id) as Row | undefined)?.['doc']);
});

process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
