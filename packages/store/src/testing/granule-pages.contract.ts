import { describe, expect, it } from 'vitest';
import { sized } from '../../../../tools/test-size.ts';
import type { GranulePageQuery, GranuleRecord, GranuleSort } from '../granules.ts';
import { newId } from '../ids.ts';
import type { Store } from '../store.ts';

const ROWS = 60;
/** Pages of three rows begin at every row, or follow one another. */
const STEP = sized(1, 3);
const sorts: readonly GranuleSort[] = ['key', 'user', 'reloaded', 'createdAt', 'updatedAt'];

export function granulePagesContract(store: () => Store): void {
  const page = (kapsule: string, query: Partial<GranulePageQuery>) =>
    store().granules.page(kapsule, { sort: 'key', descending: false, offset: 0, limit: 1_000, ...query });
  const keys = (rows: GranuleRecord[]) => rows.map(({ key }) => key);

  /** Keys, users and times of creation in unlike orders; half of them reloaded. */
  async function filled(): Promise<string> {
    const kapsule = newId();
    const rows = Array.from({ length: ROWS }, (_, n) => ({
      key: `k${String((n * 37) % ROWS).padStart(3, '0')}`,
      user: `u${n % 7}`,
      data: { n },
      createdAt: new Date(Date.UTC(2026, 0, 1 + ((n * 13) % 28))).toISOString(),
    }));
    await store().granules.upsert(kapsule, rows.slice(0, ROWS / 2));
    await store().granules.markReloaded(kapsule, await store().granules.watermark(kapsule));
    await store().granules.upsert(kapsule, rows.slice(ROWS / 2));
    return kapsule;
  }

  let unchanged: Promise<string> | undefined;
  /** For tests that only read it. */
  const shared = () => (unchanged ??= filled());

  let withDeleted: Promise<string> | undefined;
  async function filledWithDeleted(): Promise<string> {
    const kapsule = await filled();
    const ids = (await page(kapsule, {})).rows.map(({ id }) => id);
    await store().granules.removeMany(ids.slice(0, 20), 'Bob');
    return kapsule;
  }

  describe('pages of granules', () => {
    it.each(sorts)('are in order of %s, both ways, whole and without gaps', async (sort) => {
      const kapsule = await shared();
      for (const descending of [false, true]) {
        const all = (await page(kapsule, { sort, descending })).rows;
        const values = all.map((row) => (sort === 'reloaded' ? Number(row.reloaded) : row[sort]));
        const sorted = values.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
        expect(values).toEqual(descending ? sorted.toReversed() : sorted);
        const pieces: string[] = [];
        for (let offset = 0; offset < ROWS; offset += 7) {
          const { rows, total, totalIsExact } = await page(kapsule, { sort, descending, offset, limit: 7 });
          expect({ total, totalIsExact }).toEqual({ total: ROWS, totalIsExact: true });
          pieces.push(...keys(rows));
        }
        expect(pieces).toEqual(keys(all));
        expect(new Set(pieces).size).toBe(ROWS);
      }
    });

    it.each(sorts)('keep to a filter by reloaded in order of %s', async (sort) => {
      const kapsule = await shared();
      for (const reloaded of [false, true]) {
        const all = await page(kapsule, { sort, reloaded });
        expect(all.total).toBe(ROWS / 2);
        expect(all.rows.map((row) => row.reloaded)).toEqual(Array.from({ length: ROWS / 2 }, () => reloaded));
        const end = await page(kapsule, { sort, reloaded, offset: ROWS / 2 - 5, limit: 9 });
        expect(keys(end.rows)).toEqual(keys(all.rows).slice(-5));
      }
    });

    it('end at the end', async () => {
      const kapsule = await shared();
      expect(await page(kapsule, { offset: ROWS, limit: 5 })).toEqual({
        rows: [],
        total: ROWS,
        totalIsExact: true,
        isCut: false,
        isPartial: false,
      });
      expect((await page(kapsule, { offset: 1e9, limit: 5 })).rows).toEqual([]);
      expect((await page(kapsule, { limit: 0 })).rows).toEqual([]);
      expect(await page(newId(), {})).toEqual({
        rows: [],
        total: 0,
        totalIsExact: true,
        isCut: false,
        isPartial: false,
      });
    });

    it.each(sorts)('of deleted granules are in order of %s and can be searched', async (sort) => {
      const kapsule = await (withDeleted ??= filledWithDeleted());
      const { rows, total } = await page(kapsule, { sort, deleted: true, offset: 15, limit: 10 });
      expect([rows.length, total]).toEqual([5, 20]);
      expect((await page(kapsule, { sort, deleted: true, q: 'K003' })).rows).toMatchObject([{ key: 'k003' }]);
      expect((await page(kapsule, { sort, deleted: true, reloaded: true })).total).toBe(0);
      expect((await page(kapsule, { sort, q: 'K003' })).total).toBe(0);
      expect((await page(kapsule, { sort })).total).toBe(ROWS - 20);
    });

    it.each(sorts)('in order of %s pass over deleted rows, wherever these are', async (sort) => {
      const kapsule = await filled();
      const ids = (await page(kapsule, { sort })).rows.map(({ id }) => id);
      const gone = new Set(
        ids.filter((_, index) => index < 3 || index > 56 || index % 4 === 0 || index === 21),
      );
      await store().granules.removeMany([...gone], 'Bob');
      const left = ids.filter((id) => !gone.has(id));
      for (const descending of [false, true]) {
        const all = (await page(kapsule, { sort, descending })).rows.map(({ id }) => id);
        expect(all).toEqual(descending ? left.toReversed() : left);
        for (let offset = 0; offset < left.length; offset += STEP) {
          const { rows } = await page(kapsule, { sort, descending, offset, limit: 3 });
          expect(rows.map(({ id }) => id)).toEqual(all.slice(offset, offset + 3));
        }
      }
      for (const reloaded of [false, true]) {
        const part = keys((await page(kapsule, { sort, reloaded })).rows);
        const second = await page(kapsule, { sort, reloaded, offset: 5, limit: 9 });
        expect(keys(second.rows)).toEqual(part.slice(5, 14));
      }
    });

    it('by user know long names too', async () => {
      const kapsule = newId();
      const names = [
        'a',
        'ü'.repeat(299),
        'ü'.repeat(300),
        'ü'.repeat(301),
        `${'ü'.repeat(400)}z`,
        'z'.repeat(5_000),
        'zz',
      ];
      const rows = names.flatMap((user, n) =>
        [0, 1, 2].map((one) => ({ key: `${n}.${one}`, user, data: {} })),
      );
      await store().granules.upsert(kapsule, rows);
      for (const descending of [false, true]) {
        const all = keys((await page(kapsule, { sort: 'user', descending })).rows);
        expect(all.toSorted()).toEqual(rows.map(({ key }) => key));
        for (let offset = 0; offset < rows.length; offset += 4) {
          const part = await page(kapsule, { sort: 'user', descending, offset, limit: 4 });
          expect(keys(part.rows)).toEqual(all.slice(offset, offset + 4));
        }
        expect(all[descending ? 20 : 0]).toMatch(/^0\./);
      }
    });

    it('never lose or double an untouched row while others are written', async () => {
      const kapsule = newId();
      const rows = Array.from({ length: 400 }, (_, n) => ({ key: `k${1000 + n}`, user: 'u', data: {} }));
      await store().granules.upsert(kapsule, rows);
      const state = { isDone: false };
      const writing = (async () => {
        for (let n = 0; !state.isDone; n += 1) {
          // After all others, so that no page before is pushed on.
          await store().granules.upsert(kapsule, [
            { key: `z${n}`, user: 'u', data: { n } },
            { key: 'k1007', user: 'u', data: { n } },
          ]);
        }
      })();
      const seen: string[] = [];
      for (let offset = 0; offset < 400; offset += 20) {
        const result = await page(kapsule, { offset, limit: 20 });
        expect(result.total).toBeGreaterThanOrEqual(400);
        seen.push(...keys(result.rows));
      }
      state.isDone = true;
      await writing;
      expect(seen).toEqual(rows.map(({ key }) => key));
    });
  });
}
