import { chownSync, copyFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Certificate } from './certificates.ts';
import {
  type Account,
  accepts,
  accountFor,
  canRun,
  findBinary,
  freePort,
  removeFolder,
  run,
  ServerProcess,
  temporaryFolder,
} from './server-process.ts';
import { smallDisk } from './small-disk.ts';

/*
 * A private PostgreSQL for tests and benches: `const server = await startPostgres()`, then `server.config`, and
 * `server.stop()` at the end. Its programs are taken from the PATH or from where Debian's packages put them.
 */

const postgres = findBinary(['postgres'], ['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin']);

export interface PostgresOptions {
  /** Waits for the disk with every commit, as tests that kill the machine's power supply need; it is slower. */
  fsync?: boolean;
  /** Further settings of the server. */
  settings?: Record<string, string>;
  /** Its data lies on a disk of this size, its log on another one, as PostgreSQL asks for. */
  diskMegabytes?: number;
  /** It speaks TLS only. */
  certificate?: Certificate;
}

export interface PostgresConfig {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

export interface PostgresServer {
  readonly config: PostgresConfig;
  readonly url: string;
  readonly pid: number;
  /** What it has written to its log. */
  readonly output: string;
  /** On the same data folder and port; resolves when it can be used. */
  start(): Promise<void>;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
  /** As if the power had failed: nothing is written any more, and nobody is told. */
  kill(): Promise<void>;
  /** Until it is thawed it holds all its connections and answers nobody. */
  freeze(): Promise<void>;
  thaw(): void;
  /** With `diskMegabytes`: nothing more fits on it, until it is freed. */
  fillDisk(): void;
  freeDisk(): void;
}

export const hasPostgres = (): boolean => canRun('PostgreSQL', postgres);

export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  if (postgres === undefined) throw new Error('There is no PostgreSQL on this machine.');
  const account = accountFor('postgres');
  const folder = temporaryFolder('postgres', account);
  const port = await freePort();
  const config = { host: '127.0.0.1', port, user: 'kaptain', password: 'kaptain', database: 'postgres' };
  const data = join(folder, 'data');
  const disk = options.diskMegabytes ? smallDisk(data, options.diskMegabytes, account) : undefined;
  await prepare(join(dirname(postgres), 'initdb'), data, config, options, account);
  let server: ServerProcess | undefined;
  const startOnce = async () => {
    server = new ServerProcess(postgres, ['-D', data, '-k', folder], account);
    const running = server;
    await running.untilReady(async () => running.output.includes('ready to accept') && (await accepts(port)));
  };
  const start = async () => {
    for (const deadline = Date.now() + 10_000; ; await setTimeout(50)) {
      try {
        return await startOnce();
      } catch (error) {
        // The processes of a killed server see its end a moment later, and hold its memory until then.
        if (!server?.output.includes('still in use') || Date.now() > deadline) throw error;
      }
    }
  };
  await start();
  return {
    config,
    url: `postgres://${config.user}:${config.password}@127.0.0.1:${port}/${config.database}`,
    get pid() {
      return server?.pid ?? 0;
    },
    get output() {
      return server?.output ?? '';
    },
    start,
    kill: async () => server?.end('SIGKILL'),
    freeze: async () => server?.freeze(),
    thaw: () => server?.thaw(),
    fillDisk: () => disk?.fill(server?.pid ?? 0),
    freeDisk: () => disk?.free(server?.pid ?? 0),
    async stop() {
      // SIGINT is its fast shutdown: it hangs up on whoever is still there.
      await server?.end('SIGINT');
      disk?.remove();
      removeFolder(folder);
    },
  };
}

async function prepare(
  initdb: string,
  data: string,
  { port, user, password }: PostgresConfig,
  { fsync = false, settings = {}, diskMegabytes, certificate }: PostgresOptions,
  account: Account | undefined,
): Promise<void> {
  const secret = `${data}.password`;
  writeFileSync(secret, password, { mode: 0o644 });
  const options = [
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--auth=scram-sha-256',
    '--no-sync',
    '--no-instructions',
    ...(diskMegabytes ? [`--waldir=${data}.wal`, '--wal-segsize=1'] : []),
  ];
  await run(initdb, ['-D', data, '-U', user, `--pwfile=${secret}`, ...options], account);
  const all = {
    listen_addresses: "'127.0.0.1'",
    port: String(port),
    fsync: fsync ? 'on' : 'off',
    synchronous_commit: fsync ? 'on' : 'off',
    full_page_writes: fsync ? 'on' : 'off',
    shared_buffers: '128MB',
    max_wal_size: '1GB',
    max_connections: '60',
    log_timezone: "'UTC'",
    ...(certificate && tlsOnly(data, certificate, account)),
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}\n`);
  writeFileSync(join(data, 'postgresql.auto.conf'), lines.join(''));
}

/** The key must belong to the server alone. */
function tlsOnly(data: string, { certificate, key }: Certificate, account: Account | undefined) {
  copyFileSync(certificate, join(data, 'server.crt'));
  const own = join(data, 'server.key');
  copyFileSync(key, own);
  if (account) chownSync(own, account.uid, account.gid);
  writeFileSync(join(data, 'pg_hba.conf'), 'hostssl all all all scram-sha-256\n');
  return { ssl: 'on' };
}
