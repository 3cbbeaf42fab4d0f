import { rmSync } from 'node:fs';
import type { DatabaseName } from '@kaptain/contract';
import { mysqlBlock, postgresqlBlock } from '../../../../../../tools/test-servers/blocks.ts';
import { hasMariadb, startMariadb } from '../../../../../../tools/test-servers/mariadb.ts';
import { hasMongodb, startMongodb } from '../../../../../../tools/test-servers/mongodb.ts';
import { hasPostgres, startPostgres } from '../../../../../../tools/test-servers/postgres.ts';
import { isFullTest } from '../../../../../../tools/test-size.ts';
import { databaseOf } from '../../../base/database/open-store.ts';
import { onServer } from '../../../testing/service-on.ts';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import type { TestAppOptions } from '../../../testing/test-app.ts';

export interface Engine {
  options: TestAppOptions;
  stop: () => Promise<unknown>;
}

/** The stores and two data sources. */
const all: { name: string; database: DatabaseName; isHere: boolean; start: () => Promise<Engine> }[] = [
  {
    name: 'the embedded store',
    database: 'kaptaindb',
    isHere: true,
    async start() {
      const { path: folder } = temporaryFolder();
      return { options: { folder }, stop: async () => rmSync(folder, { recursive: true, force: true }) };
    },
  },
  {
    name: 'PostgreSQL',
    database: 'kaptaindb',
    isHere: hasPostgres(),
    async start() {
      const server = await startPostgres();
      return {
        options: { database: databaseOf({}, onServer('postgres', server.config)) },
        stop: () => server.stop(),
      };
    },
  },
  {
    name: 'MongoDB',
    database: 'kaptaindb',
    isHere: isFullTest && hasMongodb(),
    async start() {
      const server = await startMongodb();
      const config = { ...server.config, database: `rules_${process.pid}` };
      return {
        options: { database: databaseOf({}, onServer('mongodb', config)) },
        stop: () => server.stop(),
      };
    },
  },
  {
    name: 'PostgreSQL as a data source',
    database: 'postgresql',
    isHere: hasPostgres(),
    async start() {
      const server = await startPostgres();
      const settingsFile = { settings: {}, postgresql: postgresqlBlock(server) };
      return { options: { settingsFile }, stop: () => server.stop() };
    },
  },
  {
    name: 'MariaDB as a data source',
    database: 'mysql',
    isHere: isFullTest && hasMariadb(),
    async start() {
      const server = await startMariadb();
      const settingsFile = { settings: {}, mysql: mysqlBlock(server) };
      return { options: { settingsFile }, stop: () => server.stop() };
    },
  },
];

/** Those that this machine has. */
export const engines = all.filter(({ isHere }) => isHere);
