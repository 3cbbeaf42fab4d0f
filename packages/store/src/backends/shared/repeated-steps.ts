/** The pause between two steps, so that other work comes between … */
const PAUSE_MS = 5;
/** … and the time after which steps that had nothing to do look again. */
const EVERY_MS = 1_000;

/** Repeats a step in the background while a store is open. The step says whether there is more to do. */
export class RepeatedSteps {
  readonly #step: () => Promise<boolean>;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(step: () => Promise<boolean>) {
    this.#step = step;
    this.#start(EVERY_MS);
  }

  /** Resolves when the step under way has ended. */
  stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    return this.#working;
  }

  #start(afterMs: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#working = this.#run();
    }, afterMs).unref();
  }

  async #run(): Promise<void> {
    // When the database is away, a later step goes on.
    const isMore = await this.#step().catch(() => false);
    this.#start(isMore ? PAUSE_MS : EVERY_MS);
  }
}
