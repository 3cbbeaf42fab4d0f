import { Pool } from 'pg';
import { serveBare } from './bare.ts';

/** A typical hand-written service on the same PostgreSQL: `bare-postgres.ts <url of the database>`. */
const pool = new Pool({ connectionString: process.argv[2], max: 10 });
// A copy of the kapsules as rows.
await pool.query(`
  CREATE SCHEMA bare;
  CREATE TABLE bare.kapsules AS
    SELECT id, d ->> 'name' AS name, d ->> 'database' AS database, d ->> 'tableName' AS "tableName",
      d ->> 'table' AS "table", d ->> 'keyField' AS "keyField", d ->> 'owner' AS owner,
      (d ->> 'createdAt')::timestamptz AS "createdAt", (d ->> 'updatedAt')::timestamptz AS "updatedAt"
    FROM (SELECT id, doc::json AS d FROM kaptain.kapsules) k;
  ALTER TABLE bare.kapsules ADD PRIMARY KEY (id);
  CREATE TABLE bare.fields AS
    SELECT k.id AS kapsule, f ->> '_id' AS "fieldId", f ->> 'name' AS "fieldName", f ->> 'type' AS "fieldType"
    FROM kaptain.kapsules k, json_array_elements(k.doc::json -> 'fields') f;
  ALTER TABLE bare.fields ADD PRIMARY KEY (kapsule, "fieldId");
  CREATE TABLE bare.granules (kapsule text, key text, "user" text, data text, version bigint, updated_at text, PRIMARY KEY (kapsule, key));
  CREATE TABLE bare.audit (id bigserial PRIMARY KEY, at text, actor text, action text, target text, after text);
  ANALYZE`);

const ROWS = `
  SELECT k.*, f."fieldId", f."fieldName", f."fieldType" FROM bare.kapsules k JOIN bare.fields f ON f.kapsule = k.id
  ORDER BY k.id, f."fieldId"`;
const AS_JSON = `
  SELECT json_agg(json_build_object(
    '_id', k.id, 'name', k.name, 'database', k.database, 'tableName', k."tableName", 'table', k."table",
    'keyField', k."keyField", 'owner', k.owner, 'authority', json_build_array('READ'), 'createdAt', k."createdAt",
    'updatedAt', k."updatedAt", 'fields', (
      SELECT json_agg(json_build_object('_id', f."fieldId", 'name', f."fieldName", 'type', f."fieldType"))
      FROM bare.fields f WHERE f.kapsule = k.id
    )
  ) ORDER BY k.id)::text AS list FROM bare.kapsules k`;
const UPSERT = `
  INSERT INTO bare.granules AS g VALUES ($1, $2, $3, $4, 1, $5) ON CONFLICT (kapsule, key) DO UPDATE
  SET "user" = excluded."user", data = excluded.data, version = g.version + 1, updated_at = excluded.updated_at
  RETURNING version::integer`;
const LOG = 'INSERT INTO bare.audit (at, actor, action, target, after) VALUES ($1, $2, $3, $4, $5)';

type Row = Record<'id' | 'fieldId' | 'fieldName' | 'fieldType', string>;

await serveBare({
  async rows() {
    const { rows } = await pool.query<Row>({ name: 'rows', text: ROWS });
    const kapsules = new Map<string, { fields: unknown[] }>();
    for (const { id, fieldId: _id, fieldName: name, fieldType: type, ...rest } of rows) {
      const kapsule = kapsules.get(id) ?? { _id: id, ...rest, authority: ['READ'], fields: [] as unknown[] };
      kapsules.set(id, kapsule);
      kapsule.fields.push({ _id, name, type });
    }
    return [...kapsules.values()];
  },
  json: async () => (await pool.query<{ list: string }>({ name: 'json', text: AS_JSON })).rows[0]?.list,
  async one(id) {
    const text = 'SELECT doc FROM kaptain.kapsules WHERE id = $1';
    return (await pool.query<{ doc: string }>({ name: 'one', text, values: [id] })).rows[0]?.doc;
  },
  async save({ kapsule, key, data, at }) {
    const client = await pool.connect();
    await client.query('BEGIN');
    const values = [kapsule, key, 'admin', data, at];
    const { rows } = await client.query<{ version: number }>({ name: 'upsert', text: UPSERT, values });
    const after = JSON.stringify({ keys: [key] });
    await client.query({ name: 'log', text: LOG, values: [at, 'admin', 'granule.upsert', kapsule, after] });
    await client.query('COMMIT');
    client.release();
    return rows[0]?.version ?? 0;
  },
});
