import { writeThread } from '@kaptain/contract/thread-text';
import { describe, expect, it } from 'vitest';
import { CommentOutbox } from './comment-outbox.ts';
import { type CommentOutcome, CommentSender } from './comment-sender.ts';
import { shownThread, threadCell, threadState } from './shown-thread.ts';

const place = { key: 'K1', field: 'Talk' };
const stored = { id: 'comment1', author: 'ann', at: '2026-01-01T00:00:00Z', text: 'Ask @[bob]' };
const value = writeThread({ preface: '', comments: [stored] });
const person = (author: string) => ({ author, person: `id of ${author}` });
const saved = (text: string): CommentOutcome => ({
  kind: 'saved',
  stored: { _id: 'g', key: 'K1', version: 1, thread: text },
});

/** A service that answers with these outcomes in turn, and what was sent to it. */
function sending(outbox: CommentOutbox, author: string, outcomes: CommentOutcome[]) {
  const sent: string[] = [];
  const sender = new CommentSender({
    outbox,
    person: () => `id of ${author}`,
    changed: () => undefined,
    send: async ({ kind, text, was }) => {
      sent.push([kind, text, was].join(' ').trim());
      return outcomes.shift() ?? { kind: 'signedOut' };
    },
  });
  return { sent, sender };
}

describe('comments that are not stored yet', () => {
  it('are shown with the stored ones, newest last, each with its state', () => {
    const outbox = new CommentOutbox();
    outbox.add(place, person('bob'), 'Done');
    outbox.edit(place, stored, 'Ask @[eve]', 'id of ann');
    outbox.add({ ...place, key: 'K2' }, person('bob'), 'elsewhere');
    const { comments } = shownThread(value, outbox.at(place));
    expect(comments.map(({ author, text, state }) => [author, text, state])).toEqual([
      ['ann', 'Ask @[eve]', 'waiting'],
      ['bob', 'Done', 'waiting'],
    ]);
    expect(threadCell(value, outbox.at(place))).toBe('2 comments · bob: Done');
    expect(threadCell(value, [])).toBe('1 comment · ann: Ask @bob');
    expect([threadCell(undefined, []), threadCell('old text', [])]).toEqual(['', 'old text']);
    outbox.remove(place, stored, 'id of ann');
    expect(shownThread(value, outbox.at(place)).comments.map(({ text }) => text)).toEqual(['Done']);
  });

  it('are sent in order, and again after the person was signed out', async () => {
    const outbox = new CommentOutbox();
    outbox.add(place, person('bob'), 'one');
    outbox.add(place, person('bob'), 'two');
    const [first] = outbox.at(place);
    const signedOut = sending(outbox, 'bob', [{ kind: 'signedOut' }]);
    await signedOut.sender.send();
    expect([signedOut.sent, outbox.waiting, threadState(outbox.at(place))]).toEqual([
      ['add one'],
      2,
      'waiting',
    ]);
    const signedIn = sending(outbox, 'bob', [saved('x'), saved('y')]);
    // The id stays, by which the service knows a repeated request.
    expect(outbox.at(place)[0]?.id).toBe(first?.id);
    await signedIn.sender.send();
    expect([signedIn.sent, outbox.isEmpty]).toEqual([['add one', 'add two'], true]);
  });

  it('are never sent for another person, and wait for their author', async () => {
    const outbox = new CommentOutbox();
    outbox.add(place, person('ann'), 'mine');
    outbox.add(place, { author: 'bob', person: 'another one with this name' }, 'theirs');
    const { sent, sender } = sending(outbox, 'bob', [saved('x')]);
    await sender.send();
    expect([sent, outbox.waiting]).toEqual([[], 2]);
  });

  it('that are refused stay with the reason, until they are sent again', async () => {
    const outbox = new CommentOutbox();
    outbox.edit(place, stored, 'mine', 'id of ann');
    const refusing = sending(outbox, 'ann', [{ kind: 'refused', message: 'changed meanwhile' }]);
    await refusing.sender.send();
    const theirs = writeThread({ preface: '', comments: [{ ...stored, text: 'theirs' }] });
    const [failed] = shownThread(theirs, outbox.at(place)).comments;
    expect(failed).toMatchObject({
      text: 'mine',
      stored: 'theirs',
      state: 'failed',
      message: 'changed meanwhile',
    });
    expect(threadState(outbox.at(place))).toBe('failed');
    if (failed?.pending) outbox.retry(failed.pending, failed.stored);
    const { sent, sender } = sending(outbox, 'ann', [saved('x')]);
    await sender.send();
    expect([sent, outbox.isEmpty]).toEqual([['edit mine theirs'], true]);
  });

  it('are changed before they are sent; what is on its way is changed afterwards', async () => {
    const outbox = new CommentOutbox();
    outbox.add(place, person('ann'), 'draft');
    const [shown] = shownThread(undefined, outbox.at(place)).comments;
    if (shown) outbox.edit(place, shown, 'better', 'id of ann');
    const taken = outbox.take('id of ann');
    expect([taken?.kind, taken?.text]).toEqual(['add', 'better']);
    if (shown) outbox.edit(place, { ...shown, text: 'better' }, 'best', 'id of ann');
    if (taken) outbox.sent(taken);
    expect(outbox.at(place)).toMatchObject([{ kind: 'edit', text: 'best', was: 'better' }]);
  });

  it('that were sent without a result get a new text by an edit, because the service may have the old one', async () => {
    const outbox = new CommentOutbox();
    outbox.add(place, person('ann'), 'sent');
    const shown = () => shownThread(undefined, outbox.at(place)).comments;
    const edit = (text: string) => shown().forEach((one) => outbox.edit(place, one, text, 'id of ann'));
    await sending(outbox, 'ann', [{ kind: 'signedOut' }]).sender.send();
    edit('better');
    edit('best');
    expect(shown()).toMatchObject([{ text: 'best', state: 'waiting' }]);
    // The same holds on the next page, and for an edit.
    const next = new CommentOutbox();
    next.restore(outbox.kept(), 'id of ann');
    const again = sending(next, 'ann', [saved('x'), { kind: 'signedOut' }]);
    await again.sender.send();
    for (const one of shownThread(undefined, next.at(place)).comments)
      next.edit(place, one, 'final', 'id of ann');
    const { sent, sender } = sending(next, 'ann', [saved('x'), saved('x')]);
    await sender.send();
    expect([...again.sent, ...sent]).toEqual([
      'add sent',
      'edit best sent',
      'edit best sent',
      'edit final best',
    ]);
    expect(next.isEmpty).toBe(true);
  });

  it('that wait behind a refused one show it, and follow it', async () => {
    const outbox = new CommentOutbox();
    outbox.add(place, person('ann'), 'sent');
    const [first] = shownThread(undefined, outbox.at(place)).comments;
    outbox.take('id of ann');
    if (first) outbox.edit(place, first, 'better', 'id of ann');
    outbox.refused('too long');
    const [shown] = shownThread(undefined, outbox.at(place)).comments;
    expect(shown).toMatchObject({ text: 'better', state: 'failed', message: 'too long' });
    if (shown?.pending) outbox.retry(shown.pending, shown.stored);
    const { sent, sender } = sending(outbox, 'ann', [saved('x'), saved('x')]);
    await sender.send();
    expect(sent).toEqual(['add sent', 'edit better sent']);
  });

  it('survive the page, once each; a comment that is gone already counts as removed', async () => {
    const outbox = new CommentOutbox();
    outbox.remove(place, stored, 'id of ann');
    const next = new CommentOutbox();
    next.restore(outbox.kept(), 'id of ann');
    next.restore(outbox.kept(), 'id of ann');
    expect(next.waiting).toBe(1);
    await sending(next, 'ann', [{ kind: 'gone' }]).sender.send();
    expect(next.isEmpty).toBe(true);
  });

  it('are kept while they are only begun, one text for each thread', () => {
    const outbox = new CommentOutbox();
    outbox.setDraft(place, 'begun');
    expect([outbox.draftAt(place), outbox.draftAt({ ...place, field: 'x' }), outbox.hasDrafts]).toEqual([
      'begun',
      '',
      true,
    ]);
    outbox.setDraft(place, ' ');
    expect(outbox.hasDrafts).toBe(false);
  });
});
