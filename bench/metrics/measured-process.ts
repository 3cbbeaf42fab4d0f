import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { PASSWORD } from '../people/fill.ts';
import { logIn } from '../people/processes.ts';

const CONNECTIONS = 10;
/** So few that a block takes some 20 ms, in which the speed of a busy machine changes little. */
export const BLOCK = 100;
const TOKEN = 'a-token-for-the-bench-0123456789abcdef';
const scraper = { authorization: `Bearer ${TOKEN}` };

/** A process with a service whose processor time is read. */
export class MeasuredProcess {
  readonly #child: ChildProcess;
  readonly #url: string;
  readonly #reader: Record<string, string>;
  readonly #kapsule: string;
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(child: ChildProcess, url: string, reader: Record<string, string>, kapsule: string) {
    this.#child = child;
    this.#url = url;
    this.#reader = reader;
    this.#kapsule = kapsule;
  }

  static async start(dataDir: string): Promise<MeasuredProcess> {
    const child = fork(join(import.meta.dirname, 'server.ts'), {
      env: { ...process.env, KAPTAIN_DATA_DIR: dataDir, KAPTAIN_PORT: '0', KAPTAIN_METRICS: TOKEN },
    });
    const [port] = (await once(child, 'message')) as [number];
    const url = `http://127.0.0.1:${port}`;
    const headers = { authorization: `Bearer ${await logIn(url, 'reader', PASSWORD)}` };
    const [kapsule] = (await (await fetch(`${url}/api/kapsule`, { headers })).json()) as { _id: string }[];
    return new MeasuredProcess(child, url, headers, kapsule?._id ?? '');
  }

  async #usedMicroseconds(metrics: 'on' | 'off'): Promise<number> {
    this.#child.send(metrics);
    const [{ user, system }] = (await once(this.#child, 'message')) as [NodeJS.CpuUsage];
    return user + system;
  }

  #get(path: string, headers: Record<string, string>): Promise<void> {
    return new Promise((resolve, reject) => {
      const asked = get(this.#url + path, { headers, agent: this.#agent }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${path} answered ${answer.statusCode}.`));
        answer.resume().on('end', resolve).on('error', reject);
      });
      asked.on('error', reject);
    });
  }

  /** Sends a block of requests, a scrape among them if asked; returns the processor time of the process. */
  async microseconds(
    path: (kapsule: string) => string,
    metrics: 'on' | 'off',
    isScraped: boolean,
  ): Promise<number> {
    const before = await this.#usedMicroseconds(metrics);
    const asked = path(this.#kapsule);
    const one = async () => {
      for (let sent = 0; sent < BLOCK / CONNECTIONS; sent += 1) await this.#get(asked, this.#reader);
    };
    const scrape = isScraped ? this.#get('/metrics', scraper) : undefined;
    await Promise.all([...Array.from({ length: CONNECTIONS }, one), scrape]);
    return (await this.#usedMicroseconds(metrics)) - before;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
    const exited = once(this.#child, 'exit');
    this.#child.send('stop');
    await exited;
  }
}
