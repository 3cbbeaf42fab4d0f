import { ownValue } from '@kaptain/contract/own-value';
import type { EditQueue } from '../model/edit-queue.ts';
import type { RefusedCell, SavedRow } from '../model/edited-row.ts';
import type { RefusedValue, SaveOutcome, ServiceClient } from './service-client.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

interface Options {
  queue: EditQueue;
  client: Pick<ServiceClient, 'save'>;
  /** Called after every outcome, to show it. */
  changed: (outcome: SaveOutcome['kind']) => void;
  /** Called with rows that the service has stored, before they are known. */
  stored: (rows: readonly SavedRow[]) => void;
  author: () => string;
  /** Refused values as their cells show them. */
  refusedCells: (refused: readonly RefusedValue[]) => Promise<RefusedCell[]>;
}

/** With the whole values that were sent: an answer shortens long ones, and a cell must not lose what was typed. */
const withSent = (refused: readonly RefusedValue[], rows: readonly SavedRow[]): RefusedValue[] => {
  const sent = new Map(rows.map(({ key, data }) => [key, data]));
  return refused.map((one) => {
    const value = ownValue(sent.get(one.key) ?? {}, one.field);
    return value === undefined ? one : { ...one, value };
  });
};

/** Sends the edits of a queue, one save at a time; with back-off while the service is away. */
export class Sender {
  readonly #options: Options;
  #isSending = false;
  #pauseMs = FIRST_PAUSE_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasEnded = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Sends what waits, until nothing does, or until the service is away or the person signed out. */
  async send(): Promise<void> {
    if (this.#isSending || this.#hasEnded) return;
    clearTimeout(this.#timer);
    this.#isSending = true;
    try {
      while (await this.#sendSome());
    } finally {
      this.#isSending = false;
    }
  }

  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
  }

  async #sendSome(): Promise<boolean> {
    const { queue, client, changed, author } = this.#options;
    const rows = queue.take();
    if (rows.length === 0) return false;
    const outcome = await client.save(rows);
    const isOver = this.#hasEnded;
    switch (outcome.kind) {
      case 'saved':
        this.#pauseMs = FIRST_PAUSE_MS;
        this.#options.stored(rows);
        queue.saved(rows, outcome.stored, author(), new Date().toISOString());
        break;
      case 'conflict':
        queue.conflicted(rows, outcome.theirs);
        break;
      case 'valuesRefused':
        queue.rejected(
          rows,
          await this.#options.refusedCells(withSent(outcome.refused, rows)),
          outcome.message,
        );
        break;
      case 'refused':
        queue.refused(rows, outcome.message);
        break;
      case 'unavailable':
      case 'signedOut':
        queue.returned(rows);
    }
    if (outcome.kind === 'unavailable' && !isOver) {
      const pauseMs = Math.max(this.#pauseMs, outcome.retryAfterMs ?? 0);
      this.#timer = setTimeout(() => void this.send(), pauseMs);
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    }
    if (!isOver) changed(outcome.kind);
    return !isOver && outcome.kind !== 'unavailable' && outcome.kind !== 'signedOut';
  }
}
