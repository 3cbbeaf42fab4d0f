import fastify from 'fastify';
import { Pool } from 'pg';

/**
 * A typical hand-written service on the same database, without authentication: `server.ts <url of the database>`. It
 * returns the list built row by row, the list as JSON built by the database, and one document by its id.
 */
const pool = new Pool({ connectionString: process.argv[2], max: 10 });
const app = fastify({ logger: false });

interface Row {
  id: string;
  name: string;
  database: string;
  table_name: string;
  bound_table: string;
  key_field: string;
  owner: string;
  created_at: Date;
  updated_at: Date;
  field_id: string;
  field_name: string;
  field_type: string;
}

app.get('/rows', async () => {
  const { rows } = await pool.query<Row>({
    name: 'rows',
    text: `SELECT k.*, f.field_id, f.field_name, f.field_type FROM bench.kapsules k
           JOIN bench.fields f ON f.kapsule_id = k.id ORDER BY k.id, f.field_id`,
  });
  const kapsules = new Map<string, Record<string, unknown> & { fields: unknown[] }>();
  for (const row of rows) {
    const kapsule = kapsules.get(row.id) ?? {
      _id: row.id,
      name: row.name,
      database: row.database,
      tableName: row.table_name,
      table: row.bound_table,
      keyField: row.key_field,
      owner: row.owner,
      authority: ['READ'],
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      fields: [],
    };
    kapsules.set(row.id, kapsule);
    kapsule.fields.push({ _id: row.field_id, name: row.field_name, type: row.field_type });
  }
  return [...kapsules.values()];
});

app.get('/json', async (_, reply) => {
  const { rows } = await pool.query<{ list: string }>({
    name: 'json',
    text: `
      SELECT json_agg(json_build_object(
        '_id', k.id, 'name', k.name, 'database', k.database, 'tableName', k.table_name, 'table', k.bound_table,
        'keyField', k.key_field, 'owner', k.owner, 'authority', json_build_array('READ'), 'createdAt', k.created_at,
        'updatedAt', k.updated_at, 'fields', (
          SELECT json_agg(json_build_object('_id', f.field_id, 'name', f.field_name, 'type', f.field_type))
          FROM bench.fields f WHERE f.kapsule_id = k.id
        )
      ) ORDER BY k.id)::text AS list FROM bench.kapsules k`,
  });
  return reply.type('application/json; charset=utf-8').send(rows[0]?.list);
});

app.get('/one/:id', async (request, reply) => {
  const { id } = request.params as { id: string };
  const { rows } = await pool.query<{ doc: string }>({
    name: 'one',
    text: 'SELECT doc FROM kaptain.kapsules WHERE id = $1',
    values: [id],
  });
  return reply.type('application/json; charset=utf-8').send(rows[0]?.doc);
});

process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
