import { describe, expect, it } from 'vitest';
import type { KeptRow } from '../model/edited-row.ts';
import { CommentOutbox, type PendingComment } from '../thread/comment-outbox.ts';
import { EditKeeper, type Keeping } from './kept-edits.ts';

const person = (author: string) => ({ author, person: `id of ${author}` });
const row = (key: string): KeptRow => ({ key, edits: [['a', 'new']], before: [['a', 'old']], isHeld: false });

const outbox = new CommentOutbox();
outbox.add({ key: 'A', field: 'talk' }, person('ann'), 'x');
const [comment] = outbox.kept() as [PendingComment];
const nothing = { ...person('ann'), rows: [], comments: [] };

/** A browser whose locks are freed by `close`, as when a page is gone. */
function browser() {
  const entries = new Map<string, string>();
  const held = new Set<string>();
  const storage: Keeping['storage'] = {
    getItem: (name) => entries.get(name) ?? null,
    setItem: (name, value) => void entries.set(name, value),
    removeItem: (name) => void entries.delete(name),
    key: (index) => [...entries.keys()][index] ?? null,
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
    page().write(person('ann'), [row('A')], []);
    page().write(person('ann'), [row('B')], [comment]);
    page().write(person('bob'), [row('C')], []);
    page('other').write(person('ann'), [row('D')], []);
    const next = page();
    expect(await next.take(person('ann'))).toEqual(nothing);
    close();
    expect((await next.left()).map(({ author }) => author)).toEqual(['ann', 'ann', 'bob']);
    const { rows, comments } = await next.take(person('ann'));
    expect([rows.map(({ key }) => key), comments]).toEqual([['A', 'B'], [comment]]);
    expect(await page().take(person('ann'))).toEqual(nothing);
    expect(entries.size).toBe(2);
  });

  it('are of nobody else with the same name; those of an earlier version have the name alone', async () => {
    const { page, close, entries } = browser();
    const namesake = { author: 'ann', person: 'another id' };
    page().write(namesake, [row('A')], []);
    close();
    expect((await page().take(person('ann'))).rows).toEqual([]);
    expect((await page().take(namesake)).rows).toEqual([row('A')]);
    const { person: _, ...old } = comment;
    entries.set(
      'kaptain.edits https://s k old',
      JSON.stringify({ author: 'ann', rows: [row('B')], comments: [old] }),
    );
    expect(await page().take(person('bob'))).toMatchObject({ rows: [] });
    expect(await page().take(person('ann'))).toMatchObject({ rows: [row('B')], comments: [old] });
  });

  it('are removed when all are stored', () => {
    const { page, entries } = browser();
    const keeper = page();
    expect([keeper.write(person('ann'), [row('A')], []), entries.size]).toEqual([true, 1]);
    expect([keeper.write(person('ann'), [], [comment]), entries.size]).toEqual([true, 1]);
    expect([keeper.write(person('ann'), [], []), entries.size]).toEqual([true, 0]);
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
    expect(await page().take(person('ann'))).toEqual(nothing);
    expect(entries.size).toBe(5);
  });

  it('are not safe where the browser keeps nothing', () => {
    expect(new EditKeeper('https://s', 'k', undefined).write(person('ann'), [row('A')], [])).toBe(false);
  });
});
