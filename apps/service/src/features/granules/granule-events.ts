import { Readable } from 'node:stream';
import type { GranuleSummary } from '@kaptain/contract';
import type { Call } from '../../http/call.ts';
import { Concurrency } from '../../http/concurrency.ts';
import type { Download } from '../../http/downloads.ts';
import { granulesOf } from '../../kapsule-rules/granules-of.ts';
import { readable } from '../../kapsule-rules/kapsule-access.ts';
import type { GranulesDeps } from './granules-deps.ts';

export const eventTimes = { throttleMs: 1000, heartbeatMs: 15_000 };

const tooMany = 'Too many pages follow these records at once.';

interface Source {
  counts(): Promise<GranuleSummary>;
  onChange(listener: () => void): () => void;
  /** Fails when the caller may no longer listen. */
  check(): Promise<void>;
  stopping: AbortSignal;
  ended(): void;
}

/** The counts at once and after changes, and a sign of life in between. */
class EventStream extends Readable {
  readonly #source: Source;
  readonly #heart: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  readonly #end = () => void this.push(null);
  #soon: NodeJS.Timeout | undefined;
  #isTelling = false;
  #hasChanged = false;
  #lastTold = 0;

  constructor(source: Source) {
    super();
    this.#source = source;
    this.#heart = setInterval(() => void this.#beat(), eventTimes.heartbeatMs).unref();
    this.#unsubscribe = source.onChange(() => this.#tellSoon());
    source.stopping.addEventListener('abort', this.#end);
    void this.#tell();
  }

  override _read(): void {
    // Events come when something happens, not when they are asked for.
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    clearInterval(this.#heart);
    clearTimeout(this.#soon);
    this.#unsubscribe();
    this.#source.stopping.removeEventListener('abort', this.#end);
    this.#source.ended();
    callback(error);
  }

  /** Many changes in a moment are one event; counts that take long are never asked for twice at once. */
  #tellSoon(): void {
    if (this.#soon) return;
    if (this.#isTelling) {
      this.#hasChanged = true;
      return;
    }
    const wait = Math.max(0, this.#lastTold + eventTimes.throttleMs - performance.now());
    this.#soon = setTimeout(() => {
      this.#soon = undefined;
      void this.#tell();
    }, wait);
  }

  async #tell(): Promise<void> {
    this.#isTelling = true;
    this.#hasChanged = false;
    try {
      const counts = await this.#source.counts();
      this.#write(`event: counts\ndata: ${JSON.stringify(counts)}\n\n`);
    } catch {
      this.#write(null);
    }
    this.#isTelling = false;
    this.#lastTold = performance.now();
    if (this.#hasChanged && !this.destroyed) this.#tellSoon();
  }

  async #beat(): Promise<void> {
    try {
      await this.#source.check();
      this.#write(': alive\n\n');
    } catch {
      this.#write(null);
    }
  }

  /** A reader that takes nothing gets nothing more; the next event has the present counts anyway. */
  #write(text: string | null): void {
    if (this.destroyed || this.readableEnded) return;
    if (text === null || this.readableLength < this.readableHighWaterMark) this.push(text);
  }
}

/** Pages that ask at the same time share an answer, but never one that was asked for before their change. */
class SharedCounts {
  readonly #asked = new Map<string, { present: Promise<GranuleSummary>; next?: Promise<GranuleSummary> }>();

  of(id: string, ask: () => Promise<GranuleSummary>): Promise<GranuleSummary> {
    const asked = this.#asked.get(id);
    if (!asked) return this.#ask(id, ask);
    const again = () => this.#ask(id, ask);
    asked.next ??= asked.present.then(again, again);
    return asked.next;
  }

  #ask(id: string, ask: () => Promise<GranuleSummary>): Promise<GranuleSummary> {
    const present = ask();
    const asked = { present };
    this.#asked.set(id, asked);
    const forget = () => this.#asked.get(id) === asked && this.#asked.delete(id);
    present.then(forget, forget);
    return present;
  }
}

export function granuleEvents({ store, sessions, stopping }: GranulesDeps) {
  const places = new Concurrency(20, 1000);
  const shared = new SharedCounts();
  return async (id: string, { caller }: Call<'loggedIn'>): Promise<Download> => {
    const { kapsule } = await readable(store, id, caller);
    const granules = granulesOf(store, kapsule);
    const source: Source = {
      stopping,
      counts: () => shared.of(id, () => granules.counts(id)),
      onChange: (listener) => granules.onChange((changed) => changed === id && listener()),
      async check() {
        const present = await sessions.findById(caller.sessionId);
        if (!present) throw new Error('The session has ended.');
        await readable(store, id, present);
      },
      ended: places.take(caller.userId, tooMany),
    };
    return { chunks: new EventStream(source), contentType: 'text/event-stream; charset=utf-8' };
  };
}
