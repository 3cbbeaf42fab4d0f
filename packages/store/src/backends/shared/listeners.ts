export type Listener = (kapsuleId: string) => void;

/** The listeners for changed kapsules. */
export class Listeners {
  readonly #all = new Set<Listener>();

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  /** The answer ends it. */
  add(listener: Listener): () => void {
    // A function of its own, so that the same listener may listen twice.
    const own: Listener = (kapsuleId) => listener(kapsuleId);
    this.#all.add(own);
    return () => void this.#all.delete(own);
  }

  tell(kapsuleId: string): void {
    // Later, so that a listener that throws can't make a committed change look like a failure.
    for (const listener of this.#all) queueMicrotask(() => listener(kapsuleId));
  }
}
