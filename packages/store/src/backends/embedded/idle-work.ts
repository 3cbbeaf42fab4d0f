/** The writer counts as idle when it has had no command for so long … */
const QUIET_MS = 30;
/** … but a busy writer also runs a short step this often, so that the work does not accumulate. */
const AT_LEAST_EVERY_MS = 50;

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
    this.#schedule(QUIET_MS);
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
    const isIdle = now - this.#lastCommand >= QUIET_MS;
    const isDue = isIdle || now - this.#lastStep >= AT_LEAST_EVERY_MS;
    const isMore = isDue ? await this.#tryStep(isIdle) : true;
    this.#timer = undefined;
    if (isMore) this.#schedule(isDue ? 1 : QUIET_MS);
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
