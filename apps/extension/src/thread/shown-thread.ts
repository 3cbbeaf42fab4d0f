import { readThread, shownComment, type ThreadComment } from '@kaptain/contract/thread-text';
import type { CellState } from '../model/edited-row.ts';
import { texts } from '../texts/texts.ts';
import type { PendingComment } from './comment-outbox.ts';

/** A comment as the person sees it: the own changes before what is stored. */
export interface ShownComment extends ThreadComment {
  /** The stored text; '' when none is stored. */
  stored: string;
  state: Extract<CellState, 'saved' | 'waiting' | 'failed'>;
  message: string;
  /** The change that waits or has failed. */
  pending: PendingComment | undefined;
}

export interface ShownThread {
  preface: string;
  comments: ShownComment[];
}

const unchanged = { state: 'saved', message: '', pending: undefined } as const;

/** The stored thread with the changes that are not stored yet. */
export function shownThread(value: unknown, pending: readonly PendingComment[]): ShownThread {
  const { preface, comments } = readThread(value);
  const shown = new Map<string, ShownComment>(
    comments.map((one) => [one.id, { ...one, stored: one.text, ...unchanged }]),
  );
  for (const change of pending) {
    const { kind, id, author, at, text, state, message } = change;
    const comment = shown.get(id) ?? { id, author, at, text, stored: '', ...unchanged };
    if (kind === 'remove' && state === 'waiting') shown.delete(id);
    else {
      const shownText = kind === 'remove' ? comment.text : text;
      // Behind a failed change the others wait, so that one is shown, and sent again.
      const last = comment.state === 'failed' ? {} : { state, message, pending: change };
      shown.set(id, { ...comment, text: shownText, ...last });
    }
  }
  return { preface, comments: [...shown.values()] };
}

/** A thread in its cell: how many comments it has, and the last one. */
export function threadCell(value: unknown, pending: readonly PendingComment[]): string {
  const { preface, comments } = shownThread(value, pending);
  const last = comments.at(-1);
  return last
    ? `${texts().thread.count(comments.length)} · ${last.author}: ${shownComment(last.text)}`
    : preface;
}

export function threadState(pending: readonly PendingComment[]): CellState {
  if (pending.some(({ state }) => state === 'failed')) return 'failed';
  return pending.length > 0 ? 'waiting' : 'saved';
}
