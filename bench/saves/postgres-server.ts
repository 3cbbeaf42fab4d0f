import { Pool } from 'pg';
import { saveServer } from './save-server.ts';

/** A bare handler on PostgreSQL, without login: `postgres-server.ts <url of the database>`. */
const pool = new Pool({ connectionString: process.argv[2], max: 10 });
await pool.query(`
  DROP SCHEMA IF EXISTS bare CASCADE; CREATE SCHEMA bare;
  CREATE TABLE bare.granules (kapsule text, key text, "user" text, data text, version bigint, updated_at text, PRIMARY KEY (kapsule, key));
  CREATE TABLE bare.audit (id bigserial PRIMARY KEY, at text, actor text, action text, target text, after text)`);
const UPSERT = `
  INSERT INTO bare.granules AS g VALUES ($1, $2, $3, $4, 1, $5) ON CONFLICT (kapsule, key) DO UPDATE
  SET "user" = excluded."user", data = excluded.data, version = g.version + 1, updated_at = excluded.updated_at
  RETURNING version::integer`;
const NOTE = 'INSERT INTO bare.audit (at, actor, action, target, after) VALUES ($1, $2, $3, $4, $5)';

await saveServer(async ({ kapsule, key, data, at }) => {
  const client = await pool.connect();
  await client.query('BEGIN');
  const values = [kapsule, key, 'admin', data, at];
  const { rows } = await client.query<{ version: number }>({ name: 'upsert', text: UPSERT, values });
  const after = JSON.stringify({ keys: [key] });
  await client.query({ name: 'note', text: NOTE, values: [at, 'admin', 'granule.upsert', kapsule, after] });
  await client.query('COMMIT');
  client.release();
  return rows[0]?.version ?? 0;
});
