import { Client, type QueryResultRow } from 'pg';
import { patient } from '../../../testing/patient.ts';
import { clientConfig, type PostgresOptions } from '../config.ts';

/** Past the store, with a connection of its own: for looking inside, and for preparing what a test finds. */
export async function query<Row extends QueryResultRow>(
  options: PostgresOptions,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client(clientConfig(patient(options)));
  await client.connect();
  try {
    const result = await client.query<Row>(sql, values);
    return result.rows;
  } finally {
    await client.end();
  }
}

/** As it was before the first document. */
export async function emptyAll(options: PostgresOptions): Promise<void> {
  const tables = await query<{ name: string }>(
    options,
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname IN ('kaptain', 'kapsule_data') AND tablename NOT IN ('schema_version', 'declared_indexes')`,
  );
  await query(options, `TRUNCATE ${tables.map(({ name }) => name).join()}`);
}
