import { StaleVersionError, UniqueError } from '../errors.ts';
import type { SealRecord } from '../nouns/seals.ts';
import type { TrailRecord } from '../nouns/trail.ts';
import type { Store } from '../store.ts';
import { END, type Seals } from './seals.ts';

/** Entries of one seal: each unit of work that seals keeps other writers waiting for a few milliseconds. */
const ENTRIES = 200;
const EVERY_MS = 1_000;

/**
 * Gives stored entries their numbers in the chain, in the order of their ids. An entry whose transaction commits later
 * is found in a later round, whatever its id. Every instance tries; the version of the end lets one of them succeed.
 */
export async function sealEntries(store: Store, seals: Seals): Promise<void> {
  let end = await store.trail.get(END);
  // Read after the end: as long as the end has this version, no other instance has sealed any of them. Entries of an
  // instance with another secret are left to it.
  const waiting = (await store.toSeal.all()).filter(({ key }) => key === seals.key);
  for (let index = 0; index < waiting.length; index += ENTRIES) {
    const entries = waiting.slice(index, index + ENTRIES).map(({ id, mac }): [string, string] => [id, mac]);
    const before = end;
    try {
      end = await store.transaction((unit) => sealAfter(unit, seals, before, entries));
    } catch (error) {
      if (error instanceof StaleVersionError || error instanceof UniqueError) return;
      throw error;
    }
  }
}

async function sealAfter(
  { seals: blocks, trail, toSeal }: Pick<Store, 'seals' | 'trail' | 'toSeal'>,
  seals: Seals,
  end: TrailRecord | undefined,
  entries: SealRecord['entries'],
): Promise<TrailRecord> {
  const first = (end?.number ?? 0) + 1;
  const lastSeal = seals.ofEntries(end?.lastSeal ?? '', first, entries);
  const number = end ? end.number + entries.length : entries.length;
  const change = { number, lastSeal, seal: seals.ofEnd(number, lastSeal) };
  const next = end
    ? await trail.patch(END, change, end.version)
    : await trail.insert({ id: END, singleton: 'trail', ...change });
  await blocks.insert({ first, entries, seal: lastSeal });
  await toSeal.removeMany(entries.map(([id]) => id));
  return next;
}

/** Seals once a second, and a last time when the store is closed. */
export class Sealing {
  readonly #seal: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | undefined;

  constructor(seal: () => Promise<void>) {
    this.#seal = seal;
    this.#timer = setInterval(() => void this.#round(), EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
    await this.#round();
  }

  #round(): Promise<void> {
    // Allowed to fail on a full disk or during an outage: what waits is sealed in a later round.
    this.#running ??= this.#seal()
      .catch(() => undefined)
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }
}
