import { describe, expect, it } from 'vitest';
import { newId } from '../ids.ts';
import type { Store } from '../store.ts';
import { someGranules } from './samples.ts';

export function granuleLifeContract(store: () => Store): void {
  const write = async (kapsule: string, data: Record<string, unknown>, user = 'Ann') => {
    const [stored] = await store().granules.upsert(kapsule, [{ key: 'A', user, data }]);
    return stored?.id ?? '';
  };
  const everything = { sort: 'key', descending: false, offset: 0, limit: 1_000 } as const;

  describe('the life of a granule', () => {
    it('is told in its history, newest first, with who and when', async () => {
      const kapsule = newId();
      await write(kapsule, { n: 1 });
      const id = await write(kapsule, { n: 2 }, 'Bob');
      await store().granules.removeMany([id], 'Cid');
      await store().granules.restoreMany([id], 'Dan');
      await store().granules.removeMany([id], 'Eve');
      const time = expect.stringMatching(/^\d{4}-.*Z$/);
      const state = { updatedAt: time, deletedAt: null, deletedBy: null, restoredBy: null };
      expect(await store().granules.history(id)).toEqual([
        { ...state, version: 3, user: 'Bob', data: { n: 2 }, deletedAt: time, deletedBy: 'Eve' },
        {
          ...state,
          version: 2,
          user: 'Bob',
          data: { n: 2 },
          deletedAt: time,
          deletedBy: 'Cid',
          restoredBy: 'Dan',
        },
        { ...state, version: 1, user: 'Ann', data: { n: 1 } },
      ]);
      expect(await store().granules.history(newId())).toEqual([]);
    });

    it('ends with a deletion that hides it, counts once and can be taken back', async () => {
      const kapsule = newId();
      const id = await write(kapsule, { n: 1 });
      expect(await store().granules.removeMany([id, id, newId()], 'Bob')).toEqual([id]);
      expect(await store().granules.counts(kapsule)).toEqual({ total: 0, reloaded: 0, notReloaded: 0 });
      expect(await store().granules.page(kapsule, everything)).toMatchObject({ rows: [], total: 0 });
      const deleted = await store().granules.page(kapsule, { ...everything, deleted: true });
      expect(deleted).toMatchObject({ rows: [{ id, deletedBy: 'Bob', reloaded: false }], total: 1 });
      expect(await store().granules.get(id)).toMatchObject({ id, deletedBy: 'Bob' });
      expect(await store().granules.restoreMany([id, id], 'Cid')).toEqual([id]);
      expect(await store().granules.restoreMany([id], 'Cid')).toEqual([]);
      expect(await store().granules.get(id)).toMatchObject({
        id,
        deletedAt: null,
        version: 2,
        reloaded: false,
      });
      expect((await store().granules.page(kapsule, { ...everything, deleted: true })).total).toBe(0);
    });

    it('goes on with its id and history when a deleted key is written again', async () => {
      const kapsule = newId();
      const id = await write(kapsule, { n: 1 });
      await store().granules.removeMany([id], 'Bob');
      expect(await write(kapsule, { n: 1 })).toBe(id);
      expect(
        (await store().granules.history(id)).map(({ version, deletedBy }) => [version, deletedBy]),
      ).toEqual([
        [2, null],
        [1, 'Bob'],
      ]);
      expect(await store().granules.counts(kapsule)).toMatchObject({ total: 1 });
    });

    it('leads to its kapsule, living or deleted', async () => {
      const [one, two] = [newId(), newId()];
      const [a, b] = [await write(one, {}), await write(two, {})];
      await store().granules.removeMany([b], 'Bob');
      expect(await store().granules.kapsulesOf([a, b, newId()])).toEqual(
        new Map([
          [a, one],
          [b, two],
        ]),
      );
    });
  });

  describe('reloading', () => {
    it('takes over what was read, but no edit that happened during the reload', async () => {
      const kapsule = newId();
      await store().granules.bulkUpsert(kapsule, someGranules(10));
      const watermark = await store().granules.watermark(kapsule);
      const edited = { key: 'key-0', user: 'Ann', data: { edited: true } };
      await store().granules.upsert(kapsule, [edited, ...someGranules(1, 'new')]);
      expect(await store().granules.markReloaded(kapsule, watermark)).toBe(9);
      expect(await store().granules.counts(kapsule)).toEqual({ total: 11, reloaded: 9, notReloaded: 2 });
      const open = await store().granules.page(kapsule, { ...everything, reloaded: false });
      expect(open.rows.map(({ key }) => key)).toEqual(['key-0', 'new-0']);
      expect(open.total).toBe(2);
      expect(await store().granules.markReloaded(kapsule, watermark)).toBe(0);
      expect(await store().granules.markReloaded(kapsule, Number.MAX_SAFE_INTEGER)).toBe(2);
      await store().granules.upsert(kapsule, [...someGranules(1, 'late')]);
      expect(await store().granules.counts(kapsule)).toEqual({ total: 12, reloaded: 11, notReloaded: 1 });
    });

    it('counts a deleted one no more, and a restored one as not reloaded', async () => {
      const kapsule = newId();
      const id = await write(kapsule, { n: 1 });
      await store().granules.markReloaded(kapsule, await store().granules.watermark(kapsule));
      await store().granules.removeMany([id], 'Bob');
      expect(await store().granules.counts(kapsule)).toEqual({ total: 0, reloaded: 0, notReloaded: 0 });
      await store().granules.restoreMany([id], 'Bob');
      expect(await store().granules.counts(kapsule)).toEqual({ total: 1, reloaded: 0, notReloaded: 1 });
    });

    it('knows nothing of a kapsule without granules', async () => {
      expect(await store().granules.watermark(newId())).toBe(0);
      expect(await store().granules.markReloaded(newId(), 5)).toBe(0);
    });
  });

  it('counts changes per day: writes, deletions and returns, but nothing that stayed the same', async () => {
    const kapsule = newId();
    const id = await write(kapsule, { n: 1 });
    await write(kapsule, { n: 1 });
    await write(kapsule, { n: 2 });
    await store().granules.removeMany([id], 'Bob');
    await store().granules.restoreMany([id], 'Bob');
    const days = await store().granules.changesPerDay(kapsule, 7);
    expect(days.reduce((sum, { changes }) => sum + changes, 0)).toBe(4);
    expect(days.at(-1)?.day).toBe(new Date().toISOString().slice(0, 10));
    expect(await store().granules.changesPerDay(newId(), 7)).toEqual([]);
  });

  it('forgets a purged kapsule at once, and nothing of it comes back under the same id', async () => {
    const [gone, kept] = [newId(), newId()];
    const id = await write(gone, { word: 'needle' });
    await store().granules.upsert(gone, [...someGranules(3_000)]);
    await store().granules.upsert(kept, [...someGranules(2)]);
    await store().transaction((unit) => unit.granules.purgeKapsule(gone));
    const expectNothing = async () => {
      expect(await store().granules.get(id)).toBeUndefined();
      expect(await store().granules.history(id)).toEqual([]);
      expect(await store().granules.kapsulesOf([id])).toEqual(new Map());
      expect(await store().granules.removeMany([id], 'Bob')).toEqual([]);
      expect(await store().granules.changesPerDay(gone, 9)).toEqual([]);
      expect((await store().granules.countsOfAll()).has(gone)).toBe(false);
    };
    await expectNothing();
    expect(await store().granules.page(gone, everything)).toEqual({
      rows: [],
      total: 0,
      totalIsExact: true,
      isCut: false,
      isPartial: false,
    });
    await write(gone, { word: 'new' });
    expect((await store().granules.page(gone, { ...everything, q: 'needle' })).total).toBe(0);
    expect((await store().granules.page(gone, everything)).total).toBe(1);
    expect((await store().granules.counts(kept)).total).toBe(2);
    await store().granules.purgeKapsule(newId());
  });
}
