import { afterAll, beforeAll, describe } from 'vitest';
import { hasMariadb, type MariadbServer, startMariadb } from '../../../../tools/test-servers/mariadb.ts';
import type { DataSource } from '../data-source.ts';
import { openDataSource } from '../open.ts';
import { dataSourceContract } from '../testing/data-source.contract.ts';

describe.runIf(hasMariadb())('a data source on a real MariaDB', () => {
  let server: MariadbServer;
  let source: DataSource;
  beforeAll(async () => {
    server = await startMariadb();
    const { host, port, user, password, database } = server.config;
    const block = {
      MYSQL_POOL: 5,
      MYSQL_SERVER: host,
      MYSQL_PORT: port,
      MYSQL_USER: user,
      MYSQL_PASSWORD: password,
      MYSQL_DATABASE: database,
    };
    source = openDataSource('mysql', block, { allowedFolders: [] });
  }, 60_000);
  afterAll(async () => {
    await source?.close();
    await server?.stop();
  });
  dataSourceContract(() => source);
});
