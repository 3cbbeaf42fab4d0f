/** How long a page may look at rows one by one. */
const SCAN_MS = 700;
/** Looked at in any case, so that what a small kapsule shows does not depend on the machine. */
const LEAST_ROWS = 8_000;
/** Rows between two looks at the clock. */
const ROWS = 128;

/** Ends a scan after its time, so that the answer comes soon, though it is partial. */
export class ScanBudget {
  readonly #ms: number;
  readonly #leastRows: number;
  readonly #began = performance.now();
  #rows = 0;

  constructor(ms = SCAN_MS, leastRows = LEAST_ROWS) {
    this.#ms = ms;
    this.#leastRows = leastRows;
  }

  /** Called for every row. */
  isSpent(): boolean {
    this.#rows += 1;
    const isLookedAt = this.#rows > this.#leastRows && this.#rows % ROWS === 0;
    return isLookedAt && performance.now() - this.#began > this.#ms;
  }
}
