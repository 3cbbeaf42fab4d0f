import { afterAll, beforeAll, describe } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgres } from '../../../../tools/test-servers/postgres.ts';
import type { DataSource } from '../data-source.ts';
import { openDataSource } from '../open.ts';
import { dataSourceContract } from '../testing/data-source.contract.ts';

describe.runIf(hasPostgres())('a data source on a real PostgreSQL', () => {
  let server: PostgresServer;
  let source: DataSource;
  beforeAll(async () => {
    server = await startPostgres();
    const { host, port, user, password, database } = server.config;
    const block = {
      POSTGRE_SERVER: host,
      POSTGRE_PORT: port,
      POSTGRE_USER: user,
      POSTGRE_PASSWORD: password,
      POSTGRE_DATABASE: database,
    };
    source = openDataSource('postgresql', block, { allowedFolders: [] });
  }, 60_000);
  afterAll(async () => {
    await source?.close();
    await server?.stop();
  });
  dataSourceContract(() => source);
});
