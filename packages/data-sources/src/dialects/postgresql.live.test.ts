import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresqlBlock } from '../../../../tools/test-servers/blocks.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../../../tools/test-servers/postgres.ts';
import type { DataSource } from '../data-source.ts';
import { openDataSource } from '../open.ts';
import { dataSourceContract } from '../testing/data-source.contract.ts';
import { exactValuesContract } from '../testing/exact-values.contract.ts';
import { existingTablesContract } from '../testing/existing-tables.contract.ts';
import { faultsContract } from '../testing/faults.contract.ts';
import { fieldFiltersContract } from '../testing/field-filters.contract.ts';
import { largeCellsContract } from '../testing/large-cells.contract.ts';
import { aBinding, row, someRows, write } from '../testing/samples.ts';
import { sharedTablesContract } from '../testing/shared-tables.contract.ts';

describe.runIf(hasPostgres())('a data source on a real PostgreSQL', () => {
  let server: PostgresServer;
  let source: DataSource;
  const open = (change: object = {}) => {
    const block = { ...postgresqlBlock(server), ...change };
    return openDataSource('postgresql', block, { allowedFolders: [] });
  };
  /** One connection for all statements of other programs, and a new one after the server was killed. */
  let theirs: Client | undefined;
  async function sql(text: string): Promise<unknown[]> {
    if (!theirs) {
      const client = new Client(server.config);
      client.on('error', () => undefined).on('end', () => (theirs = undefined));
      await client.connect();
      theirs = client;
    }
    return (await theirs.query(text)).rows;
  }
  beforeAll(async () => {
    server = await startPostgres({ settings: { deadlock_timeout: '100ms', synchronous_commit: 'on' } });
    source = open();
  });
  afterAll(async () => {
    await source?.close();
    await theirs?.end();
    await server?.stop();
  });
  dataSourceContract(() => source);
  sharedTablesContract(() => source);
  fieldFiltersContract(() => source);
  existingTablesContract(() => source, sql, {
    generated: 'GENERATED ALWAYS AS (price * 2) STORED',
    bytes: 'bytea',
    timestamp: 'timestamp',
  });
  largeCellsContract(() => source, sql);
  exactValuesContract(() => source, sql, { timestamp: 'timestamp(6)', double: 'double precision' });
  faultsContract({
    source: () => source,
    server: () => server,
    open,
    names: {
      password: 'POSTGRE_PASSWORD',
      port: 'POSTGRE_PORT',
      host: 'POSTGRE_SERVER',
      database: 'POSTGRE_DATABASE',
      user: 'POSTGRE_USER',
    },
    async addReader(name, password) {
      await sql(`CREATE ROLE ${name} LOGIN PASSWORD '${password}'`);
      await sql(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${name}`);
    },
    async other() {
      const client = new Client(server.config);
      await client.connect();
      // The one that looks for a deadlock is rolled back: this connection never looks.
      await client.query(`SET deadlock_timeout = '1h'`);
      return client;
    },
    waiting: () => sql('SELECT pid FROM pg_locks WHERE NOT granted'),
    quote: (name) => `"${name}"`,
  });

  it.each([
    ['a key that is checked only at the commit', 'text NOT NULL UNIQUE DEFERRABLE INITIALLY DEFERRED', ''],
    ['a table that another one inherits from', 'text PRIMARY KEY', '_child'],
  ])('updates existing rows in %s', async (_, key, child) => {
    const binding = aBinding();
    await sql(`CREATE TABLE "${binding.table}" ("OrderId" ${key})`);
    if (child) await sql(`CREATE TABLE "${binding.table}${child}" () INHERITS ("${binding.table}")`);
    await source.ensureTable(binding);
    const indexes = `SELECT indexname FROM pg_indexes WHERE tablename = '${binding.table}' AND indexdef LIKE '% UNIQUE %'`;
    expect(await sql(indexes)).toHaveLength(1);
    await sql(`INSERT INTO "${binding.table}${child}" ("OrderId") VALUES ('key-1000')`);
    await source.bulkUpsert(binding, someRows(1_100));
    expect((await source.counts(binding)).total).toBe(1_100);
  });

  it('drops the table that was bound, never one whose name differs only in case', async () => {
    const binding = aBinding({ table: 'Cases' });
    await source.ensureTable(binding);
    await sql(`CREATE TABLE cases ("OrderId" text PRIMARY KEY)`);
    const tables = () =>
      sql(`SELECT table_name FROM information_schema.tables WHERE lower(table_name) = 'cases'`);
    await source.dropTable('Cases', true);
    await source.dropTable('Cases', true);
    await expect(source.dropTable('cases', true)).rejects.toThrow('The table cases is not bound');
    expect(await tables()).toEqual([{ table_name: 'cases' }]);
    await source.ensureTable(binding);
    await sql(`CREATE TABLE "CASES" ("OrderId" text PRIMARY KEY)`);
    await source.dropTable('Cases', true);
    expect(await tables()).toEqual([{ table_name: 'CASES' }]);
  });

  it('reports no row as written that a trigger left unchanged', async () => {
    const binding = aBinding();
    await source.ensureTable(binding);
    await write(source, binding, [row('a', { Amount: 1 })]);
    await sql(`CREATE FUNCTION k_leave() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`);
    await sql(
      `CREATE TRIGGER leave BEFORE UPDATE ON "${binding.table}" FOR EACH ROW EXECUTE FUNCTION k_leave()`,
    );
    await expect(write(source, binding, [row('a', { Amount: 2 })])).rejects.toMatchObject({
      category: 'busy',
    });
    await sql(
      `CREATE TRIGGER skip BEFORE INSERT ON "${binding.table}" FOR EACH ROW EXECUTE FUNCTION k_leave()`,
    );
    const skipped = {
      category: 'value',
      message: expect.stringContaining('does not keep a row with the key "b"'),
    };
    await expect(write(source, binding, [row('b')])).rejects.toMatchObject(skipped);
    await expect(source.bulkUpsert(binding, [row('b')])).rejects.toMatchObject(skipped);
  });

  it('leaves values that no one can write as they are, and compares keys of fixed length without their blanks', async () => {
    await sql(`CREATE TABLE odd (id char(6) PRIMARY KEY, day date, at timestamp, n numeric, note text)`);
    await sql(`INSERT INTO odd VALUES ('ab', '0044-03-15 BC', 'infinity', 'NaN', 'old')`);
    const fields = [
      { name: 'day', type: 'date' as const },
      { name: 'at', type: 'timestamp' as const },
      { name: 'n', type: 'number' as const },
      { name: 'note', type: 'text' as const },
    ];
    const binding = { table: 'odd', keyField: 'id', fields };
    await source.ensureTable(binding);
    const [found] = await source.lookup(binding, ['ab']);
    expect(found).toMatchObject({ key: 'ab', data: { day: '0044-03-15 BC', at: 'infinity', n: 'NaN' } });
    await write(source, binding, [row('ab', { ...found?.data, note: 'new' })]);
    const kept = await sql(`SELECT day::text, at::text, n::text, note FROM odd`);
    expect(kept).toEqual([{ day: '0044-03-15 BC', at: 'infinity', n: 'NaN', note: 'new' }]);
    for (const bad of [{ at: '-infinity' }, { n: 'Infinity' }, { day: '0045-03-15 BC' }])
      await expect(write(source, binding, [row('ab', { ...found?.data, ...bad })])).rejects.toMatchObject({
        category: 'value',
      });
    await expect(write(source, binding, [row('cd', { ...found?.data })])).rejects.toMatchObject({
      category: 'value',
    });
  });

  it('reports that the server offers no TLS when the settings require it', async () => {
    const secure = open({ POSTGRE_USESSL: true });
    await expect(secure.ping()).rejects.toMatchObject({ category: 'tls' });
    await secure.close();
  });
});
