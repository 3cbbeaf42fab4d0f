import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chownSync, constants, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

/*
 * Shared code of the tests' private database servers. A server runs on a free port of the loopback interface, in its
 * own temporary folder, and ends at the latest when the process that started it exits; if that one is killed, it stays.
 */

/** The account that a server runs under; undefined for the current one. */
export interface Account {
  uid: number;
  gid: number;
}

/** PostgreSQL and MariaDB refuse to run as root: then they run as `name`, the account of their package. */
export function accountFor(name: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** The first of these programs on the PATH or in one of the folders, which may be glob patterns. */
export function findBinary(names: readonly string[], folders: readonly string[] = []): string | undefined {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  // The newest version first, where all have as many digits.
  const elsewhere = folders.flatMap((folder) => globSync(folder).sort().toReversed());
  for (const folder of [...onPath, ...elsewhere]) {
    for (const name of names) {
      const file = join(folder, process.platform === 'win32' ? `${name}.exe` : name);
      if (isExecutable(file)) return file;
    }
  }
  return undefined;
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Says whether the tests of a server can run; if not, prints a warning, or fails in CI. */
export function canRun(server: string, binary: string | undefined): boolean {
  if (binary !== undefined) return true;
  const line = `NOT TESTED: ${server} is not installed on this machine, so its tests do not run.`;
  if (process.env['CI'] === 'true') throw new Error(line);
  process.stderr.write(`\n!!! ${line}\n\n`);
  return false;
}

export async function freePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port was found.');
  return address.port;
}

export function temporaryFolder(name: string, account?: Account): string {
  const folder = mkdtempSync(join(tmpdir(), `kaptain-${name}-`));
  if (account) chownSync(folder, account.uid, account.gid);
  return folder;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** A server that can't be started leaves no folder behind. */
export async function orRemove<T>(folder: string, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    removeFolder(folder);
    throw error;
  }
}

/** Runs a program to its end, such as the one that prepares a data folder. */
export async function run(file: string, args: readonly string[], account?: Account): Promise<void> {
  await promisify(execFile)(file, args, { cwd: tmpdir(), ...account });
}

export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #endWithUs = () => this.#child.kill('SIGKILL');
  #output = '';

  constructor(file: string, args: readonly string[], account?: Account) {
    this.#child = spawn(file, args, { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'], ...account });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-10_000);
      });
    }
    process.once('exit', this.#endWithUs);
    this.#ended = once(this.#child, 'exit').finally(() => process.off('exit', this.#endWithUs));
    this.#ended.catch(() => undefined);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The end of its output. */
  get output(): string {
    return this.#output;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Sends SIGSTOP to the server and its children: until `thaw` it keeps its connections and answers none. */
  async freeze(): Promise<void> {
    // The signal takes effect asynchronously: until the parent has stopped, it starts further children.
    await stop([this.pid]);
    await stop(childrenOf(this.pid));
  }

  thaw(): void {
    for (const pid of [...childrenOf(this.pid), this.pid]) process.kill(pid, 'SIGCONT');
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.isRunning) this.#child.kill(signal);
    // MariaDB loses a signal that arrives while it starts.
    const again = setInterval(() => this.#child.kill(signal), 1_000);
    await this.#ended.finally(() => clearInterval(again));
  }

  /** Waits until `isReady` returns true; fails with the server's output when it exits or the limit passes. */
  async untilReady(isReady: () => Promise<boolean>, limitMs = 30_000): Promise<void> {
    for (const deadline = Date.now() + limitMs; !(await isReady()); await setTimeout(25)) {
      if (this.isRunning && Date.now() < deadline) continue;
      await this.end('SIGKILL');
      throw new Error(`The server did not start:\n${this.#output}`);
    }
  }
}

export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

async function stop(pids: readonly number[]): Promise<void> {
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  while (!pids.every(isStopped)) await setTimeout(5);
}

/** Says whether all threads of a process are stopped. */
function isStopped(pid: number): boolean {
  return globSync(`/proc/${pid}/task/*/stat`).every((file) => / T /.test(readFileSync(file, 'utf8')));
}

/** Says whether a server listens on the port. */
export async function accepts(port: number, host = '127.0.0.1'): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
