import { STEP_IDLE_MS, STEP_PAUSE_MS } from './tuning.ts';

/** Repeats a step in the background while a store is open. The step says whether there is more to do. */
export class RepeatedSteps {
  readonly #step: () => Promise<boolean>;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(step: () => Promise<boolean>) {
    this.#step = step;
    this.#start(STEP_IDLE_MS);
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
    this.#start(isMore ? STEP_PAUSE_MS : STEP_IDLE_MS);
  }
}
