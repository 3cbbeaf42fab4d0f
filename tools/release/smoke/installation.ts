import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { api, type Client, createClient, type KaptainApi } from '@kaptain/contract';

const PASSWORD = 'correct horse battery';

export interface Running {
  url: string;
  /** Asks it to stop and returns its exit code. */
  stop(): Promise<number | null>;
}

/** Nothing of the machine but what an installation may count on: its own Node, no npm, no clone. */
const bareEnvironment = (dataDir: string): NodeJS.ProcessEnv => ({
  PATH: ['/usr/bin', '/bin'].join(':'),
  KAPTAIN_DATA_DIR: dataDir,
  KAPTAIN_PORT: '0',
});

/** An unpacked release. */
export class Installation {
  static readonly #running = new Set<ChildProcess>();
  readonly folder: string;
  readonly dataDir: string;

  constructor(folder: string, dataDir: string) {
    this.folder = folder;
    this.dataDir = dataDir;
  }

  /** Ends what a failed test left running. */
  static endAll(): void {
    for (const child of Installation.#running) child.kill('SIGTERM');
  }

  #spawn(args: readonly string[]): ChildProcess {
    const child = spawn(join(this.folder, 'kaptain'), args, {
      cwd: this.folder,
      env: bareEnvironment(this.dataDir),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    Installation.#running.add(child);
    child.once('exit', () => Installation.#running.delete(child));
    return child;
  }

  /** Runs one of its commands; what it printed. */
  async run(...args: string[]): Promise<string> {
    const child = this.#spawn(args);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => (output += String(chunk)));
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code !== 0) throw new Error(`kaptain ${args.join(' ')} ended with ${String(code)}: ${output}`);
    return output;
  }

  async start(): Promise<Running> {
    const child = this.#spawn(['start']);
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const url = await new Promise<string>((resolve, reject) => {
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (chunk) => {
          output += String(chunk);
          const found = /ready on (http:\/\/localhost:\d+)/.exec(output)?.[1];
          if (found !== undefined) resolve(found);
        });
      void ended.then(() => reject(new Error(`The service did not start: ${output}`)));
    });
    const stop = () => {
      child.kill('SIGTERM');
      return ended;
    };
    return { url, stop };
  }
}

const client = (baseUrl: string, token: string | null): Client<KaptainApi> =>
  createClient(api, { baseUrl, token: () => token, onUnauthorized: () => undefined });

export const createAdmin = ({ url }: Running) =>
  client(url, null).session.init({ body: { username: 'admin', password: PASSWORD } });

export async function logIn({ url }: Running): Promise<{ token: string; api: Client<KaptainApi> }> {
  const { accessToken } = await client(url, null).session.login({
    body: { username: 'admin', password: PASSWORD },
  });
  return { token: accessToken, api: client(url, accessToken) };
}
