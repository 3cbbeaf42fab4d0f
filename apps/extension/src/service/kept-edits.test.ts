import { describe, expect, it } from 'vitest';
import type { KeptRow } from '../model/edited-row.ts';
import { CommentOutbox, type PendingComment } from '../thread/comment-outbox.ts';
import { EditKeeper, type Keeping } from './kept-edits.ts';

const row = (key: string): KeptRow => ({ key, edits: [['a', 'new']], before: [['a', 'old']], isHeld: false });

const outbox = new CommentOutbox();
outbox.add({ key: 'A', field: 'talk' }, 'ann', 'x');
const [comment] = outbox.kept() as [PendingComment];
const nothing = { author: 'ann', rows: [], comments: [] };

/** A browser whose locks are freed by `close`, as when a page is gone. */
function browser() {
  const entries = new Map<string, string>();
  const held = new Set<string>();
  const storage: Keeping['storage'] = {
    getItem: (name) => entries.get(name) ?? null,
    setItem: (name, value) => void entries.set(name, value),
    removeItem: (name) => void entries.delete(name),
    key: (place) => [...entries.keys()][place] ?? null,
    get length() {
      return entries.size;
    },
  };
  const request = async (name: string, ...rest: unknown[]) => {
    const [options, work] = rest.length === 2 ? rest : [{}, rest[0]];
    const { ifAvailable } = options as LockOptions;
    const isFree = !held.has(name);
    if (ifAvailable !== true) held.add(name);
    return (work as LockGrantedCallback<unknown>)(isFree ? { name, mode: 'exclusive' } : null);
  };
  const keeping: Keeping = { storage, locks: { request } };
  const page = (kapsuleId = 'k') => new EditKeeper('https://s', kapsuleId, keeping);
  return { entries, page, close: () => held.clear() };
}

describe('edits kept in the browser', () => {
  it('belong to the next page of their author, once, after their page is gone', async () => {
    const { page, close, entries } = browser();
    page().write('ann', [row('A')], []);
    page().write('ann', [row('B')], [comment]);
    page().write('bob', [row('C')], []);
    page('other').write('ann', [row('D')], []);
    const next = page();
    expect(await next.take('ann')).toEqual(nothing);
    close();
    expect((await next.left()).map(({ author }) => author)).toEqual(['ann', 'ann', 'bob']);
    const { rows, comments } = await next.take('ann');
    expect([rows.map(({ key }) => key), comments]).toEqual([['A', 'B'], [comment]]);
    expect(await page().take('ann')).toEqual(nothing);
    expect(entries.size).toBe(2);
  });

  it('are removed when all are stored', () => {
    const { page, entries } = browser();
    const keeper = page();
    expect([keeper.write('ann', [row('A')], []), entries.size]).toEqual([true, 1]);
    expect([keeper.write('ann', [], [comment]), entries.size]).toEqual([true, 1]);
    expect([keeper.write('ann', [], []), entries.size]).toEqual([true, 0]);
  });

  it('in another form are left alone', async () => {
    const { page, entries } = browser();
    for (const [place, text] of [
      '',
      '{',
      '{}',
      '{"author":"ann","rows":[{"key":1}]}',
      '{"author":"ann","rows":[],"comments":[{}]}',
    ].entries())
      entries.set(`kaptain.edits https://s k ${place}`, text);
    expect(await page().take('ann')).toEqual(nothing);
    expect(entries.size).toBe(5);
  });

  it('are not safe where the browser keeps nothing', () => {
    expect(new EditKeeper('https://s', 'k', undefined).write('ann', [row('A')], [])).toBe(false);
  });
});
