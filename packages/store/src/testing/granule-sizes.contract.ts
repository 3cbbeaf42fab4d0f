import { limits } from '@kaptain/contract/limits';
import { describe, expect, it } from 'vitest';
import { GranuleConflictError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Store } from '../store.ts';

const LARGE = 250 * 1024;
/** Together larger than a page may be. */
const ROWS = 5;
const large = (n: number) => ({ text: `${n} `.padEnd(LARGE, 'ü'.repeat(10)) });
const row = (n: number, value = n) => ({
  key: `k${String(n).padStart(2, '0')}`,
  user: 'u',
  data: large(value),
});

/** One answer is limited by its bytes, not only by its rows. */
export function granuleSizesContract(store: () => Store): void {
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

  async function filled(): Promise<string> {
    const kapsule = newId();
    await store().granules.bulkUpsert(
      kapsule,
      Array.from({ length: ROWS }, (_, n) => row(n)),
    );
    return kapsule;
  }
  let unchanged: Promise<string> | undefined;
  /** Filling it takes longer than the tests, which do not change it; the last one removes its rows. */
  const shared = () => (unchanged ??= filled());

  describe('large granules', () => {
    it('are told one by one when each is larger than a page may be', async () => {
      const kapsule = newId();
      const data = { text: 'x'.repeat(limits.pageBytes + 1) };
      await store().granules.bulkUpsert(
        kapsule,
        ['a', 'b'].map((key) => ({ key, user: 'u', data })),
      );
      const query = { sort: 'key', descending: false, limit: 10 } as const;
      const first = await store().granules.page(kapsule, { ...query, offset: 0 });
      expect([first.rows.map(({ key }) => key), first.isCut]).toEqual([['a'], true]);
      const second = await store().granules.page(kapsule, { ...query, offset: 1 });
      expect([second.rows.map(({ key }) => key), second.isCut]).toEqual([['b'], false]);
    });

    it('have a history that is told in parts, every version once', async () => {
      const kapsule = newId();
      for (let version = 1; version <= ROWS; version++)
        await store().granules.upsert(kapsule, [row(0, version)]);
      const { rows } = await store().granules.page(kapsule, {
        sort: 'key',
        descending: false,
        limit: 1,
        offset: 0,
      });
      const id = rows[0]?.id ?? '';
      await store().granules.removeMany([id], 'Ann');
      await store().granules.restoreMany([id], 'Bob');
      const versions: number[] = [];
      const restored: (string | null)[] = [];
      for (let before: number | undefined; before !== 1; ) {
        const states = await store().granules.history(id, before);
        expect(states.length).toBeGreaterThan(0);
        expect(bytesOf(states)).toBeLessThanOrEqual(limits.pageBytes + 10_000);
        versions.push(...states.map(({ version }) => version));
        restored.push(...states.flatMap(({ restoredBy }) => restoredBy ?? []));
        before = states.at(-1)?.version;
      }
      expect(versions).toEqual([6, 5, 4, 3, 2, 1]);
      expect(restored).toEqual(['Bob']);
      // The one who restored a state is known from the state behind it, also when that was told before.
      expect((await store().granules.history(id, 6))[0]).toMatchObject({ version: 5, restoredBy: 'Bob' });
      expect(await store().granules.history(id, 1)).toEqual([]);
    });

    it('are refused with both values of the first ones and the number of all', async () => {
      const kapsule = await shared();
      const stale = Array.from({ length: ROWS }, (_, n) => ({ ...row(n), data: { n }, version: 7 }));
      const error = await store()
        .granules.upsert(kapsule, stale)
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(GranuleConflictError);
      const { conflicts, count } = error as GranuleConflictError;
      expect(count).toBe(ROWS);
      expect(conflicts.length).toBeGreaterThan(0);
      expect(bytesOf(conflicts)).toBeLessThanOrEqual(limits.pageBytes + 10_000);
      expect(conflicts[0]).toMatchObject({ key: 'k00', givenData: { n: 0 }, storedData: large(0) });
    });

    it.each([{}, { q: 'üü' }, { deleted: true }])(
      'make a page end early, and it goes on where it ended: %j',
      async (filter) => {
        const kapsule = await shared();
        const everything = { sort: 'key', descending: false, limit: 100, offset: 0 } as const;
        if (filter.deleted) {
          for (;;) {
            const { rows } = await store().granules.page(kapsule, everything);
            if (rows.length === 0) break;
            const ids = rows.map(({ id }) => id);
            await store().granules.removeMany(ids, 'u');
          }
        }
        const keys: string[] = [];
        for (let isCut = true; isCut; ) {
          const page = await store().granules.page(kapsule, {
            ...everything,
            ...filter,
            offset: keys.length,
          });
          isCut = page.isCut;
          expect(page.rows.length).toBeGreaterThan(0);
          expect(bytesOf(page.rows)).toBeLessThanOrEqual(limits.pageBytes + 10_000);
          keys.push(...page.rows.map(({ key }) => key));
        }
        expect(keys).toEqual(Array.from({ length: ROWS }, (_, n) => row(n).key));
        const small = await store().granules.page(kapsule, { ...everything, ...filter, limit: 1 });
        expect([small.rows.length, small.isCut]).toEqual([1, false]);
      },
    );
  });
}
