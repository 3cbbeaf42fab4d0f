const LOOK_EVERY_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

type Listener = (kapsuleId: string) => void;
/** The number of the last change, or undefined where looking is not worth it. */
type Look = () => Promise<number | undefined>;

interface Followed {
  listeners: Set<Listener>;
  look: Look;
  last: number | undefined;
  pauseMs: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Tells who listens which kapsules in data sources have changed: at once after the changes of this process; those of other
 * instances show in the number of the last change, which is looked at while somebody listens.
 */
export class SourceChanges {
  readonly #followed = new Map<string, Followed>();

  /** After a change of this process. Its number is noted first, so that the next look does not tell it once more. */
  async tell(kapsuleId: string): Promise<void> {
    const followed = this.#followed.get(kapsuleId);
    if (!followed) return;
    followed.last = (await followed.look().catch(() => undefined)) ?? followed.last;
    tellAll(kapsuleId, followed);
  }

  listen(kapsuleId: string, look: Look, listener: Listener): () => void {
    const followed = this.#followed.get(kapsuleId) ?? this.#follow(kapsuleId, look);
    followed.listeners.add(listener);
    return () => {
      followed.listeners.delete(listener);
      if (followed.listeners.size === 0) this.#leave(kapsuleId, followed);
    };
  }

  close(): void {
    for (const [kapsuleId, followed] of this.#followed) this.#leave(kapsuleId, followed);
  }

  #follow(kapsuleId: string, look: Look): Followed {
    const followed: Followed = {
      listeners: new Set(),
      look,
      last: undefined,
      pauseMs: LOOK_EVERY_MS,
      timer: undefined,
    };
    this.#followed.set(kapsuleId, followed);
    this.#lookLater(kapsuleId, followed);
    return followed;
  }

  #leave(kapsuleId: string, followed: Followed): void {
    clearTimeout(followed.timer);
    if (this.#followed.get(kapsuleId) === followed) this.#followed.delete(kapsuleId);
  }

  #lookLater(kapsuleId: string, followed: Followed): void {
    followed.timer = setTimeout(() => void this.#look(kapsuleId, followed), followed.pauseMs).unref();
  }

  async #look(kapsuleId: string, followed: Followed): Promise<void> {
    let change: number | undefined;
    try {
      change = await followed.look();
      followed.pauseMs = LOOK_EVERY_MS;
    } catch (error) {
      // A source that is down is asked again, ever more seldom: what was missed meanwhile shows then.
      followed.pauseMs = pauseAfter(error, followed.pauseMs);
    }
    if (this.#followed.get(kapsuleId) !== followed) return;
    // The first look tells in any case: nobody knows what happened between the first counts and it.
    if (change !== undefined && change !== followed.last) {
      followed.last = change;
      tellAll(kapsuleId, followed);
    }
    this.#lookLater(kapsuleId, followed);
  }
}

function tellAll(kapsuleId: string, { listeners }: Followed): void {
  for (const listener of listeners) listener(kapsuleId);
}

/** Servers lock an account after some wrong passwords in a row. */
const pauseAfter = (error: unknown, pauseMs: number): number =>
  (error as { category?: unknown } | null)?.category === 'login'
    ? LONGEST_PAUSE_MS
    : Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
