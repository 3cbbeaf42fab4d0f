import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareFolder } from './prepared-folder.ts';
import {
  accepts,
  accountFor,
  canRun,
  findBinary,
  freePort,
  orRemove,
  removeFolder,
  run,
  ServerProcess,
  temporaryFolder,
} from './server-process.ts';

/*
 * A private MariaDB for tests and benches: `const server = await startMariadb()`, then `server.config`, and
 * `server.stop()` at the end. Its account `root` has no password until a test gives it one.
 */

const mariadbd = findBinary(['mariadbd', 'mysqld'], ['/usr/sbin', '/usr/libexec']);
const installer = findBinary(['mariadb-install-db', 'mysql_install_db']);

interface MariadbConfig {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

export interface MariadbServer {
  readonly config: MariadbConfig;
  readonly pid: number;
  /** Starts on the same data folder and port; resolves when the server accepts connections. */
  start(): Promise<void>;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
  /** Sends SIGKILL, like a crash of the server. */
  kill(): Promise<void>;
}

export const hasMariadb = (): boolean => canRun('MariaDB', installer && mariadbd);

export async function startMariadb(): Promise<MariadbServer> {
  if (mariadbd === undefined || installer === undefined)
    throw new Error('MariaDB is not installed on this machine.');
  const account = accountFor('mysql');
  const folder = temporaryFolder('mariadb', account);
  const port = await freePort();
  const config = { host: '127.0.0.1', port, user: 'root', password: '', database: 'customer' };
  const data = join(folder, 'data');
  const installing = ['--auth-root-authentication-method=normal', '--skip-name-resolve'];
  // Not the database `test`, in which every account has all privileges.
  const init = join(folder, 'init.sql');
  writeFileSync(init, `CREATE DATABASE IF NOT EXISTS ${config.database};\n`, { mode: 0o644 });
  const settings = [
    '--no-defaults',
    `--datadir=${data}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--init-file=${init}`,
    `--socket=${join(folder, 'socket')}`,
    `--pid-file=${join(folder, 'pid')}`,
    '--skip-name-resolve',
    '--innodb-buffer-pool-size=128M',
    // Each commit is written to the operating system without fsync: a killed server loses nothing.
    '--innodb-flush-log-at-trx-commit=2',
    '--max-connections=60',
    // Half of the default: a test that sends more need not send as much.
    '--max-allowed-packet=8M',
    // The default of many servers, so that no test depends on a UTF-8 server.
    '--character-set-server=latin1',
  ];
  let server: ServerProcess | undefined;
  const start = async () => {
    server = new ServerProcess(mariadbd, settings, account);
    await server.untilReady(() => accepts(port));
  };
  await orRemove(folder, async () => {
    await prepareFolder(data, mariadbd, account, () =>
      run(installer, ['--no-defaults', `--datadir=${data}`, ...installing], account),
    );
    await start();
  });
  return {
    config,
    get pid() {
      return server?.pid ?? 0;
    },
    start,
    kill: async () => server?.end('SIGKILL'),
    async stop() {
      await server?.end('SIGTERM');
      removeFolder(folder);
    },
  };
}
