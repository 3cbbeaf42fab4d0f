/** How long a page may look at rows one by one. */
const SCAN_MS = 700;
/** Rows between two looks at the clock. */
const ROWS = 128;

/** Ends a scan after its time, so that the answer comes soon, though it is partial. */
export class ScanBudget {
  readonly #ms: number;
  readonly #began = performance.now();
  #rows = 0;

  constructor(ms = SCAN_MS) {
    this.#ms = ms;
  }

  /** Called for every row. */
  isSpent(): boolean {
    this.#rows += 1;
    return this.#rows % ROWS === 0 && performance.now() - this.#began > this.#ms;
  }
}
