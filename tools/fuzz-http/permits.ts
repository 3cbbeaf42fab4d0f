import { connect, type Socket } from 'node:net';
import { readAnswers } from './answers.ts';
import type { Keeper } from './keeper.ts';
import type { World } from './world.ts';

/** How many permits of each kind all callers together can hold. */
export interface Permits {
  uploads: number;
  streams: number;
  events: number;
}

const PATIENCE_MS = 10_000;
/** Higher than any limit of the service, so that counting ends. */
const MOST = 200;

class Holder {
  readonly #socket: Socket;
  #bytes = Buffer.alloc(0);

  constructor(port: number, head: readonly string[]) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.on('error', () => undefined);
    this.#socket.on('data', (chunk) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      // Nothing more is read: the service can't finish its answer and its permit stays held.
      this.#socket.pause();
    });
    this.#socket.write(`${head.join('\r\n')}\r\n`);
  }

  get status(): number | undefined {
    const status = /^HTTP\/1\.1 (\d\d\d)/.exec(this.#bytes.toString('latin1', 0, 12))?.[1];
    return status === undefined ? undefined : Number(status);
  }

  write(text: string): void {
    this.#socket.write(text);
  }

  /** Sends the rest and waits for the whole answer. */
  async finish(rest: string): Promise<number> {
    this.#socket.resume();
    this.#socket.write(rest);
    await until(() => readAnswers(this.#bytes, ['POST'], false).answers.length > 0);
    this.#socket.destroy();
    return this.status ?? 0;
  }

  leave(): void {
    this.#socket.destroy();
  }
}

async function until(isTrue: () => boolean, patienceMs = PATIENCE_MS): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!isTrue()) {
    if (performance.now() > end)
      throw new Error('The service did not react in time while permits were counted.');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const get = (path: string, token: string): string[] => [
  `GET ${path} HTTP/1.1`,
  'host: localhost',
  `authorization: Bearer ${token}`,
  '',
];

/** Opens requests of each user in turn until all users are refused. */
async function countGets(port: number, tokens: readonly string[], path: string): Promise<number> {
  const holders: Holder[] = [];
  let held = 0;
  for (const token of tokens) {
    for (let isFull = false; !isFull && held < MOST; ) {
      const holder = new Holder(port, get(path, token));
      holders.push(holder);
      await until(() => holder.status !== undefined);
      if (holder.status === 200) held += 1;
      else if (holder.status === 429) isFull = true;
      else throw new Error(`A permit was answered ${holder.status}.`);
    }
  }
  for (const holder of holders) holder.leave();
  return held;
}

const PART = '--b\r\ncontent-disposition: form-data; name="files"; filename="a.kap"\r\n\r\n{';
const REST = '}\r\n--b--\r\n';

async function countUploads({ service }: World, tokens: readonly string[]): Promise<number> {
  const holders: Holder[] = [];
  for (const token of tokens) {
    for (let isFull = false; !isFull; ) {
      const before = service.temporaryFiles.length;
      const holder = new Holder(service.port, [
        'POST /api/kapsule/import/kapsules HTTP/1.1',
        'host: localhost',
        `authorization: Bearer ${token}`,
        'content-type: multipart/form-data; boundary=b',
        `content-length: ${PART.length + REST.length}`,
        '',
      ]);
      holder.write(PART);
      await until(() => holder.status !== undefined || service.temporaryFiles.length > before);
      if (holder.status === undefined) holders.push(holder);
      else isFull = true;
    }
  }
  const statuses = await Promise.all(holders.map((holder) => holder.finish(REST)));
  if (statuses.some((status) => status !== 200))
    throw new Error(`Held uploads were answered ${statuses.join(', ')}.`);
  return holders.length;
}

/** Acquires all permits: a leaked one is missing in the count. */
export async function countPermits(world: World, keeper: Keeper): Promise<Permits> {
  const tokens = [...keeper.holders.values(), world.token('reader'), world.token('owner')];
  const creators = [...keeper.holders.values(), world.token('owner')];
  const { port } = world.service;
  const large = `/api/kapsule/${keeper.largeId}`;
  return {
    uploads: await countUploads(world, creators),
    streams: await countGets(port, tokens, `${large}/sql/read/internal`),
    events: await countGets(port, tokens.slice(-2), `${large}/events`),
  };
}
