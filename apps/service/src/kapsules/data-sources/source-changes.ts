import { SOURCE_POLL_MS, SOURCE_POLL_PAUSE_MS } from '../tuning.ts';

type Listener = (kapsuleId: string) => void;
/** Reads the number of the last change; undefined when the source is not polled. */
type ReadChange = () => Promise<number | undefined>;

interface Subscription {
  listeners: Set<Listener>;
  readChange: ReadChange;
  last: number | undefined;
  pauseMs: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Notifies listeners of changes of kapsules in data sources: directly after a change by this process; changes by
 * other instances are found by polling the number of the last change while there are listeners.
 */
export class SourceChanges {
  readonly #subscriptions = new Map<string, Subscription>();

  /** Called after a change by this process. Reads its number first, so that the next poll does not notify again. */
  async notify(kapsuleId: string): Promise<void> {
    const subscription = this.#subscriptions.get(kapsuleId);
    if (!subscription) return;
    subscription.last = (await subscription.readChange().catch(() => undefined)) ?? subscription.last;
    notifyAll(kapsuleId, subscription);
  }

  subscribe(kapsuleId: string, readChange: ReadChange, listener: Listener): () => void {
    const subscription = this.#subscriptions.get(kapsuleId) ?? this.#start(kapsuleId, readChange);
    subscription.listeners.add(listener);
    return () => {
      subscription.listeners.delete(listener);
      if (subscription.listeners.size === 0) this.#stop(kapsuleId, subscription);
    };
  }

  close(): void {
    for (const [kapsuleId, subscription] of this.#subscriptions) this.#stop(kapsuleId, subscription);
  }

  #start(kapsuleId: string, readChange: ReadChange): Subscription {
    const subscription: Subscription = {
      listeners: new Set(),
      readChange,
      last: undefined,
      pauseMs: SOURCE_POLL_MS,
      timer: undefined,
    };
    this.#subscriptions.set(kapsuleId, subscription);
    this.#schedulePoll(kapsuleId, subscription);
    return subscription;
  }

  #stop(kapsuleId: string, subscription: Subscription): void {
    clearTimeout(subscription.timer);
    if (this.#subscriptions.get(kapsuleId) === subscription) this.#subscriptions.delete(kapsuleId);
  }

  #schedulePoll(kapsuleId: string, subscription: Subscription): void {
    subscription.timer = setTimeout(
      () => void this.#poll(kapsuleId, subscription),
      subscription.pauseMs,
    ).unref();
  }

  async #poll(kapsuleId: string, subscription: Subscription): Promise<void> {
    let change: number | undefined;
    try {
      change = await subscription.readChange();
      subscription.pauseMs = SOURCE_POLL_MS;
    } catch (error) {
      // Retries with back-off; changes missed meanwhile are found by the next successful poll.
      subscription.pauseMs = pauseAfter(error, subscription.pauseMs);
    }
    if (this.#subscriptions.get(kapsuleId) !== subscription) return;
    // The first poll always notifies, because a change may have happened since the listener read its first counts.
    if (change !== undefined && change !== subscription.last) {
      subscription.last = change;
      notifyAll(kapsuleId, subscription);
    }
    this.#schedulePoll(kapsuleId, subscription);
  }
}

function notifyAll(kapsuleId: string, { listeners }: Subscription): void {
  for (const listener of listeners) listener(kapsuleId);
}

/** A refused login is retried once a minute, because servers lock accounts after several wrong passwords. */
const pauseAfter = (error: unknown, pauseMs: number): number =>
  (error as { category?: unknown } | null)?.category === 'login'
    ? SOURCE_POLL_PAUSE_MS
    : Math.min(pauseMs * 2, SOURCE_POLL_PAUSE_MS);
