import type { ChangedThread } from '@kaptain/contract';
import type { CommentOutbox, PendingComment } from './comment-outbox.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

export type CommentOutcome =
  | { kind: 'saved'; stored: ChangedThread }
  /** It was stored before: a repeated request finds no such comment to remove. */
  | { kind: 'gone' }
  | { kind: 'refused'; message: string }
  | { kind: 'unavailable'; retryAfterMs?: number }
  | { kind: 'signedOut' };

interface Options {
  outbox: CommentOutbox;
  send: (pending: PendingComment) => Promise<CommentOutcome>;
  /** The id of the signed-in person; '' without a sign-in. */
  person: () => string;
  /** Called after every outcome, to show it. */
  changed: (outcome: CommentOutcome, sent: PendingComment) => void;
}

/** Sends the comments of an outbox, one at a time; with back-off while the service is away. */
export class CommentSender {
  readonly #options: Options;
  #isSending = false;
  #pauseMs = FIRST_PAUSE_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  async send(): Promise<void> {
    if (this.#isSending) return;
    clearTimeout(this.#timer);
    this.#isSending = true;
    try {
      while (await this.#sendOne());
    } finally {
      this.#isSending = false;
    }
  }

  async #sendOne(): Promise<boolean> {
    const { outbox, send, person, changed } = this.#options;
    const pending = person() === '' ? undefined : outbox.take(person());
    if (!pending) return false;
    const outcome = await send(pending);
    const isOver = outcome.kind === 'unavailable' || outcome.kind === 'signedOut';
    if (isOver) outbox.returned();
    else if (outcome.kind === 'refused') outbox.refused(outcome.message);
    else outbox.sent(pending);
    if (outcome.kind === 'unavailable') {
      this.#timer = setTimeout(() => void this.send(), Math.max(this.#pauseMs, outcome.retryAfterMs ?? 0));
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    } else this.#pauseMs = FIRST_PAUSE_MS;
    changed(outcome, pending);
    return !isOver;
  }
}
