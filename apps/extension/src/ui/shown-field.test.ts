import { expect, it } from 'vitest';
import { EditQueue } from '../model/edit-queue.ts';
import { KnownGranules, noGranule } from '../model/known-granules.ts';
import { CommentOutbox } from '../thread/comment-outbox.ts';
import { shownField } from './shown-field.ts';

it('a cell is awaited from the sign-in until its granule is looked up', () => {
  const known = new KnownGranules();
  const workspace = { known, queue: new EditQueue(known), outbox: new CommentOutbox() };
  const field = { name: 'Comment', holdsRow: false };
  const isAwaited = (author: string, type: 'text' | 'thread' = 'text') =>
    shownField({ ...workspace, access: { author } }, 'K1', { ...field, type }).isAwaited;
  expect(isAwaited('')).toBe(false);
  expect([isAwaited('admin'), isAwaited('admin', 'thread')]).toEqual([true, true]);
  // Also when the service has none of this key.
  known.set('K1', noGranule);
  expect([isAwaited('admin'), isAwaited('admin', 'thread')]).toEqual([false, false]);
});
