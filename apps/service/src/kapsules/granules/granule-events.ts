import type { GranuleSummary } from '@kaptain/contract';
import type { Call } from '../../base/call/call.ts';
import type { Download } from '../../http/downloads/downloads.ts';
import { visible } from '../kapsules/kapsule-access.ts';
import type { GranulesDeps } from './granules-deps.ts';
import { granulesOf } from './granules-of.ts';

export const eventTimes = { throttleMs: 1000, heartbeatMs: 15_000 };

interface Source {
  counts: () => Promise<GranuleSummary>;
  onChange: (listener: () => void) => () => void;
  /** Aborts when the service stops or the client disconnects. */
  over: AbortSignal;
}

/** A sleep that `wake` ends early. */
class Sleeper {
  wake: () => void = () => undefined;

  async sleep(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
      this.wake = resolve;
    });
    clearTimeout(timer);
  }
}

/**
 * Yields the counts at the start and after changes, at most one event per second, and a heartbeat in between. The
 * next counts are read after the client has taken the last event, so that a client that does not read causes no
 * queries.
 */
async function* eventsOf({ counts, onChange, over }: Source): AsyncGenerator<string> {
  const sleeper = new Sleeper();
  const wake = () => sleeper.wake();
  let changes = 1;
  const unsubscribe = onChange(() => {
    changes += 1;
    wake();
  });
  over.addEventListener('abort', wake);
  try {
    for (let [told, next] = [0, 0]; !over.aborted; ) {
      if (changes === told) {
        await sleeper.sleep(eventTimes.heartbeatMs);
        if (changes === told && !over.aborted) yield ': alive\n\n';
      } else if (performance.now() < next) {
        await sleeper.sleep(next - performance.now());
      } else {
        told = changes;
        const present = await counts();
        next = performance.now() + eventTimes.throttleMs;
        yield `event: counts\ndata: ${JSON.stringify(present)}\n\n`;
      }
    }
  } finally {
    over.removeEventListener('abort', wake);
    unsubscribe();
  }
}

/** Streams that need counts at the same time share a query, but never one that began before their change. */
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

export function granuleEvents({ store, dataSources, eventStreams, stopping }: GranulesDeps) {
  const shared = new SharedCounts();
  return async (id: string, call: Call<'loggedInOrExtension'>): Promise<Download> => {
    const { kapsule } = await visible(store, id, call.caller);
    const granules = granulesOf({ store, dataSources }, kapsule);
    const chunks = eventsOf({
      counts: () => shared.of(id, () => granules.counts(id)),
      onChange: (listener) => granules.onChange((changed) => changed === id && listener()),
      over: AbortSignal.any([stopping, call.gone()]),
    });
    return {
      chunks,
      limit: eventStreams,
      contentType: 'text/event-stream; charset=utf-8',
      check: (present) => visible(store, id, present),
      // Checked before every event: another instance may have revoked the right since the last one.
      checkEveryMs: 0,
    };
  };
}
