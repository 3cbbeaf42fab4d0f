const LOOK_EVERY_MS = 1_000;

type Listener = (kapsuleId: string) => void;
/** The number of the last change, or undefined where looking is not worth it. */
type Look = () => Promise<number | undefined>;

interface Followed {
  listeners: Set<Listener>;
  look: Look;
  last: number | undefined;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Tells who listens which kapsules in data sources have changed: at once after the changes of this process; those of other
 * instances show in the number of the last change, which is looked at while somebody listens.
 */
export class SourceChanges {
  readonly #followed = new Map<string, Followed>();

  tell(kapsuleId: string): void {
    for (const listener of this.#followed.get(kapsuleId)?.listeners ?? []) listener(kapsuleId);
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
    const followed: Followed = { listeners: new Set(), look, last: undefined, timer: undefined };
    this.#followed.set(kapsuleId, followed);
    this.#lookLater(kapsuleId, followed);
    return followed;
  }

  #leave(kapsuleId: string, followed: Followed): void {
    clearTimeout(followed.timer);
    if (this.#followed.get(kapsuleId) === followed) this.#followed.delete(kapsuleId);
  }

  #lookLater(kapsuleId: string, followed: Followed): void {
    followed.timer = setTimeout(() => void this.#look(kapsuleId, followed), LOOK_EVERY_MS).unref();
  }

  async #look(kapsuleId: string, followed: Followed): Promise<void> {
    // A source that is down is asked again: what was missed meanwhile shows then.
    const change = await followed.look().catch(() => undefined);
    if (this.#followed.get(kapsuleId) !== followed) return;
    // The first look tells in any case: nobody knows what happened between the first counts and it.
    if (change !== undefined && change !== followed.last) this.tell(kapsuleId);
    followed.last = change ?? followed.last;
    this.#lookLater(kapsuleId, followed);
  }
}
