import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgres } from '../../../../tools/test-servers/postgres.ts';
import type { DataSource } from '../data-source.ts';
import { openDataSource } from '../open.ts';
import { dataSourceContract } from '../testing/data-source.contract.ts';
import { existingTablesContract } from '../testing/existing-tables.contract.ts';
import { faultsContract } from '../testing/faults.contract.ts';
import { aBinding, someRows } from '../testing/samples.ts';

describe.runIf(hasPostgres())('a data source on a real PostgreSQL', () => {
  let server: PostgresServer;
  let source: DataSource;
  const open = (change: object = {}) => {
    const { host, port, user, password, database } = server.config;
    const block = {
      POSTGRE_SERVER: host,
      POSTGRE_PORT: port,
      POSTGRE_USER: user,
      POSTGRE_PASSWORD: password,
      POSTGRE_DATABASE: database,
      ...change,
    };
    return openDataSource('postgresql', block, { allowedFolders: [] });
  };
  async function sql(text: string): Promise<unknown> {
    const client = new Client(server.config);
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }
  beforeAll(async () => {
    server = await startPostgres({ settings: { deadlock_timeout: '100ms', synchronous_commit: 'on' } });
    source = open();
  }, 60_000);
  afterAll(async () => {
    await source?.close();
    await server?.stop();
  });
  dataSourceContract(() => source);
  existingTablesContract(() => source, sql, {
    generated: 'GENERATED ALWAYS AS (price * 2) STORED',
    bytes: 'bytea',
    moment: 'timestamp',
  });
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
      return client;
    },
    quote: (name) => `"${name}"`,
  });

  it('gives a key that is checked only at the commit an index that checks at once', async () => {
    const binding = aBinding();
    await sql(
      `CREATE TABLE "${binding.table}" ("OrderId" text NOT NULL UNIQUE DEFERRABLE INITIALLY DEFERRED)`,
    );
    await source.ensureTable(binding);
    await sql(`INSERT INTO "${binding.table}" VALUES ('key-7000')`);
    await source.bulkUpsert(binding, someRows(8_000));
    expect((await source.counts(binding)).total).toBe(8_000);
  });

  it('says that a server without TLS refuses what the settings ask for', async () => {
    const secure = open({ POSTGRE_USESSL: true });
    await expect(secure.ping()).rejects.toMatchObject({ category: 'tls' });
    await secure.close();
  });
});
