import { Agent, get } from 'node:http';
import type { Child } from '../kit/child.ts';
import { get as getJson, logIn } from '../kit/client.ts';
import { PASSWORD } from '../kit/people.ts';
import { startService } from '../kit/service.ts';

const CONNECTIONS = 10;
/** A block takes some 20 ms, in which the speed of a busy machine changes little. */
export const BLOCK = 100;
const TOKEN = 'a-token-for-the-bench-0123456789abcdef';
const scraper = { authorization: `Bearer ${TOKEN}` };

/** A process with a service whose processor time is read. */
export class MeasuredProcess {
  readonly #child: Child<number>;
  readonly #url: string;
  readonly #reader: Record<string, string>;
  readonly #kapsule: string;
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(child: Child<number>, url: string, reader: Record<string, string>, kapsule: string) {
    this.#child = child;
    this.#url = url;
    this.#reader = reader;
    this.#kapsule = kapsule;
  }

  static async start(dataDir: string): Promise<MeasuredProcess> {
    const { url, child } = await startService(dataDir, { KAPTAIN_METRICS: TOKEN });
    const reader = await logIn(url, 'reader', PASSWORD);
    const headers = { authorization: `Bearer ${reader.token}` };
    const [kapsule] = await getJson<{ _id: string }[]>(reader, '/api/kapsule');
    return new MeasuredProcess(child, url, headers, kapsule?._id ?? '');
  }

  async #usedMicroseconds(metrics: 'on' | 'off'): Promise<number> {
    const { user, system } = await this.#child.ask<NodeJS.CpuUsage>(metrics);
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
    await this.#child.stop('stop');
  }
}
