import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { chownSync, copyFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Certificate } from './certificates.ts';
import { prepareFolder } from './prepared-folder.ts';
import {
  type Account,
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
import { smallDisk } from './small-disk.ts';

/*
 * A private PostgreSQL for tests and benches: `const server = await startPostgres()`, then `server.config`, and
 * `server.stop()` at the end. It uses the programs on the PATH, or those of Debian's packages.
 */

const postgres = findBinary(['postgres'], ['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin']);

interface PostgresOptions {
  /** Enables fsync at each commit, as in production; slower. */
  fsync?: boolean;
  /** Further settings of the server. */
  settings?: Record<string, string>;
  /** The size of a separate disk for the data; the server's log is on another one. */
  diskMegabytes?: number;
  /** The server accepts only TLS. */
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
  /** The server's log. */
  readonly output: string;
  /** Starts on the same data folder and port; resolves when the server accepts connections. */
  start(): Promise<void>;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
  /** Sends SIGKILL, like a crash of the server. */
  kill(): Promise<void>;
  /** Stops the processes (SIGSTOP): until `thaw` the server keeps its connections and answers none. */
  freeze(): Promise<void>;
  thaw(): void;
  /** With `diskMegabytes`: fills the disk until `freeDisk`. */
  fillDisk(): void;
  freeDisk(): void;
}

export const hasPostgres = (): boolean => canRun('PostgreSQL', postgres);

/** One server process at a time on a data folder and a port. */
export class PostgresProcess {
  readonly #program: string;
  readonly #folder: string;
  readonly #data: string;
  readonly #port: number;
  readonly #account: Account | undefined;
  #running: ServerProcess | undefined;
  /** Child processes that are frozen would outlive their server. */
  #isFrozen = false;

  constructor(program: string, folder: string, data: string, port: number, account: Account | undefined) {
    this.#program = program;
    this.#folder = folder;
    this.#data = data;
    this.#port = port;
    this.#account = account;
  }

  get pid(): number {
    return this.#running?.pid ?? 0;
  }

  get output(): string {
    return this.#running?.output ?? '';
  }

  async start(): Promise<void> {
    for (const deadline = Date.now() + 10_000; ; await setTimeout(50)) {
      try {
        return await this.#startOnce();
      } catch (error) {
        // The child processes of a killed server keep its shared memory until they notice its end.
        if (!this.output.includes('still in use') || Date.now() > deadline) throw error;
      }
    }
  }

  async #startOnce(): Promise<void> {
    const running = new ServerProcess(this.#program, ['-D', this.#data, '-k', this.#folder], this.#account);
    this.#running = running;
    await running.untilReady(
      async () => running.output.includes('ready to accept') && (await accepts(this.#port)),
    );
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.#isFrozen) this.thaw();
    await this.#running?.end(signal);
  }

  async freeze(): Promise<void> {
    await this.#running?.freeze();
    this.#isFrozen = true;
  }

  thaw(): void {
    this.#isFrozen = false;
    this.#running?.thaw();
  }
}

/** The program of the server and those beside it. */
export function postgresPrograms() {
  if (postgres === undefined) throw new Error('PostgreSQL is not installed on this machine.');
  // Beside the program itself: on the PATH there may be a link to it alone.
  const beside = (name: string) => join(dirname(realpathSync(postgres)), name);
  return { postgres, initdb: beside('initdb'), basebackup: beside('pg_basebackup') };
}

export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const { postgres: program, initdb } = postgresPrograms();
  const account = accountFor('postgres');
  const folder = temporaryFolder('postgres', account);
  const port = await freePort();
  const config = configOn(port);
  const data = join(folder, 'data');
  const disk = options.diskMegabytes ? smallDisk(data, options.diskMegabytes, account) : undefined;
  const server = new PostgresProcess(program, folder, data, port, account);
  await orRemove(folder, async () => {
    await prepare(initdb, data, config, options, account);
    await server.start();
  });
  return {
    config,
    url: `postgres://${config.user}:${config.password}@127.0.0.1:${port}/${config.database}`,
    get pid() {
      return server.pid;
    },
    get output() {
      return server.output;
    },
    start: () => server.start(),
    kill: () => server.end('SIGKILL'),
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    fillDisk: () => disk?.fill(server.pid),
    freeDisk: () => disk?.free(server.pid),
    async stop() {
      // SIGINT is the fast shutdown: it closes all connections.
      await server.end('SIGINT');
      disk?.remove();
      removeFolder(folder);
    },
  };
}

export const configOn = (port: number): PostgresConfig => ({
  host: '127.0.0.1',
  port,
  user: 'kaptain',
  password: 'kaptain',
  database: 'postgres',
});

export async function prepare(
  initdb: string,
  data: string,
  { port, user, password }: PostgresConfig,
  { fsync = false, settings = {}, diskMegabytes, certificate }: PostgresOptions,
  account: Account | undefined,
): Promise<void> {
  const secret = `${data}.password`;
  writeFileSync(secret, cheapSecret(password), { mode: 0o644 });
  const options = [
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--auth=scram-sha-256',
    '--no-sync',
    '--no-instructions',
    ...(diskMegabytes ? [`--waldir=${data}.wal`, '--wal-segsize=1'] : []),
  ];
  const make = () => run(initdb, ['-D', data, '-U', user, `--pwfile=${secret}`, ...options], account);
  // One on a small disk has its log elsewhere.
  await (diskMegabytes ? make() : prepareFolder(data, initdb, account, make));
  const all = {
    listen_addresses: "'127.0.0.1'",
    port: String(port),
    fsync: fsync ? 'on' : 'off',
    synchronous_commit: fsync ? 'on' : 'off',
    full_page_writes: fsync ? 'on' : 'off',
    shared_buffers: '128MB',
    max_wal_size: '1GB',
    max_connections: '60',
    // Compiling a plan takes longer than any query of a test.
    jit: 'off',
    // In files of the data folder: a killed server would leave its segments in the memory of the machine.
    ...(diskMegabytes === undefined && { dynamic_shared_memory_type: 'mmap' }),
    log_timezone: "'UTC'",
    ...(certificate && tlsOnly(data, certificate, account)),
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}\n`);
  writeFileSync(join(data, 'postgresql.auto.conf'), lines.join(''));
}

/**
 * The password as PostgreSQL keeps it, hashed once instead of 4,096 times, which is most of what a connection costs its client:
 * tests open hundreds of them.
 */
function cheapSecret(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, 1, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$1:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`;
}

/** Only the server's account may read the key. */
function tlsOnly(data: string, { certificate, key }: Certificate, account: Account | undefined) {
  copyFileSync(certificate, join(data, 'server.crt'));
  const own = join(data, 'server.key');
  copyFileSync(key, own);
  if (account) chownSync(own, account.uid, account.gid);
  writeFileSync(join(data, 'pg_hba.conf'), 'hostssl all all all scram-sha-256\n');
  return { ssl: 'on' };
}
