import { BUSY_WRITER_STEP_MS, WRITER_IDLE_MS } from './tuning.ts';

/** Has maintenance done in short steps between commands; a command waits for one step at most. */
export class IdleWork {
  readonly #isNeeded: () => boolean;
  readonly #step: (isIdle: boolean) => Promise<boolean>;
  #timer: NodeJS.Timeout | undefined;
  #lastCommand = 0;
  #lastStep = 0;
  #isStopped = false;

  /** `step` says whether there may be more to do; it is told whether the writer is idle. */
  constructor(isNeeded: () => boolean, step: (isIdle: boolean) => Promise<boolean>) {
    this.#isNeeded = isNeeded;
    this.#step = step;
  }

  /** Called after every command, which may have left maintenance to do. */
  afterCommand(): void {
    this.#lastCommand = performance.now();
    this.#schedule(WRITER_IDLE_MS);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(ms: number): void {
    if (this.#isStopped) return;
    this.#timer ??= setTimeout(() => void this.#run(), ms).unref();
  }

  async #run(): Promise<void> {
    const now = performance.now();
    const isIdle = now - this.#lastCommand >= WRITER_IDLE_MS;
    const isDue = isIdle || now - this.#lastStep >= BUSY_WRITER_STEP_MS;
    const isMore = isDue ? await this.#tryStep(isIdle) : true;
    this.#timer = undefined;
    if (isMore) this.#schedule(isDue ? 1 : WRITER_IDLE_MS);
  }

  async #tryStep(isIdle: boolean): Promise<boolean> {
    try {
      return this.#isNeeded() && (await this.#step(isIdle));
    } catch {
      // A full disk, or another process has locked the file: the next command retries.
      return false;
    } finally {
      this.#lastStep = performance.now();
    }
  }
}
