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

/** Tables without rows are left alone: PostgreSQL makes new files for each table and index that it truncates. */
const EMPTY_ALL = `
  DO $$
  DECLARE
    name text;
    has_rows boolean;
  BEGIN
    FOR name IN SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
      WHERE schemaname IN ('kaptain', 'kapsule_data') AND tablename NOT IN ('schema_version', 'declared_indexes')
    LOOP
      EXECUTE format('SELECT EXISTS (SELECT FROM %s)', name) INTO has_rows;
      IF has_rows THEN
        EXECUTE 'TRUNCATE ' || name;
      END IF;
    END LOOP;
  END $$`;

/** As it was before the first document. */
export async function emptyAll(options: PostgresOptions): Promise<void> {
  await query(options, EMPTY_ALL);
}
