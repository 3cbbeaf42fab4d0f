import { PAGE_SCAN_CLOCK_ROWS, PAGE_SCAN_LEAST_ROWS, PAGE_SCAN_MS } from './tuning.ts';

/** Ends a scan after its time, so that the answer comes soon, though it is partial. */
export class ScanBudget {
  readonly #ms: number;
  readonly #leastRows: number;
  readonly #began = performance.now();
  #rows = 0;

  constructor(ms = PAGE_SCAN_MS, leastRows = PAGE_SCAN_LEAST_ROWS) {
    this.#ms = ms;
    this.#leastRows = leastRows;
  }

  /** Called for every row. */
  isSpent(): boolean {
    this.#rows += 1;
    const isLookedAt = this.#rows > this.#leastRows && this.#rows % PAGE_SCAN_CLOCK_ROWS === 0;
    return isLookedAt && performance.now() - this.#began > this.#ms;
  }
}
