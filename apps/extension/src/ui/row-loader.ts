import type { NxCell } from '@nebula.js/stardust';
import type { RowPages } from '../model/row-pages.ts';
import type { RowWindow } from '../model/row-window.ts';
import type { Workspace } from '../service/workspace.ts';

/** Between two look-ups while a person scrolls: a third of what the service allows one person in a minute. */
const PAUSE_MS = 150;

/** Rows beyond the screen that are fetched when all on it are there: keys that follow each other fast move on to them. */
const AHEAD = 100;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The state of its table that a loader asks for. */
interface Shown {
  pages: RowPages<readonly NxCell[]>;
  workspace: Pick<Workspace, 'revision' | 'lookUp'> & { access: { token: string | undefined } };
  window: RowWindow;
  keyAt: (row: number) => string;
  /** Of a row that is shown elsewhere, e.g. in the panel of its thread. */
  keyBeside: string | undefined;
}

/** Fetches the visible rows, then their granules in one call; one at a time, always for the present window. */
export class RowLoader {
  readonly #shown: () => Shown;
  readonly #render: () => void;
  /** Keys that were looked up since the hypercube or a granule has changed. */
  #lookedUp = new Set<string>();
  #revision = 0;
  #isLoading = false;
  #lastLookup = Number.NEGATIVE_INFINITY;

  constructor(shown: () => Shown, render: () => void) {
    this.#shown = shown;
    this.#render = render;
  }

  /** Granules are looked up again when they are shown the next time. */
  forget(): void {
    this.#lookedUp = new Set();
  }

  /** Whether granules may have changed since the last load. */
  get isStale(): boolean {
    return this.#revision !== this.#shown().workspace.revision;
  }

  async load(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      while (await this.#loadSome());
    } finally {
      this.#isLoading = false;
    }
  }

  async #loadSome(): Promise<boolean> {
    const { pages, workspace, window, keyAt, keyBeside = '' } = this.#shown();
    if (this.isStale) {
      this.#revision = workspace.revision;
      this.forget();
    }
    const rows = Array.from({ length: window.end - window.first }, (_, n) => window.first + n);
    if (rows.some((row) => pages.row(row) === undefined)) {
      await pages.ensure(window.first, window.end);
      if (pages !== this.#shown().pages) return true;
      this.#render();
    }
    // A failure shows when the rows come onto the screen.
    pages.ensure(Math.max(0, window.first - AHEAD), window.end + AHEAD).catch(() => undefined);
    if (workspace.access.token === undefined) return false;
    const lookedUp = this.#lookedUp;
    const keys = [...new Set([...rows.map((row) => keyAt(row)), keyBeside])];
    const missing = keys.filter((key) => key !== '' && !lookedUp.has(key));
    if (missing.length === 0) return false;
    const tooEarly = this.#lastLookup + PAUSE_MS - performance.now();
    if (tooEarly > 0) {
      await pause(tooEarly);
      return true;
    }
    this.#lastLookup = performance.now();
    for (const key of missing) lookedUp.add(key);
    if (await workspace.lookUp(missing)) return true;
    for (const key of missing) lookedUp.delete(key);
    return false;
  }
}
