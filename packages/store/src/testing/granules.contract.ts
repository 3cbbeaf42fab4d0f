import { describe, expect, it } from 'vitest';
import { sized } from '../../../../tools/test-size.ts';
import { InvalidTextError } from '../errors.ts';
import type { GranuleInput } from '../granules.ts';
import { newId } from '../ids.ts';
import type { Store } from '../store.ts';
import { someGranules } from './samples.ts';

/** How many rows the store may take ahead, and more than that. */
const AHEAD = sized(10_000, 2_500);
const STREAMED = sized(30_000, 5_000);
/** Several batches. */
const CONTESTED = sized(2_500, 1_200);
const WRITERS = sized(8, 4);
const LONG = sized(20_000, 4_000);

export function granulesContract(store: () => Store): void {
  const total = async (kapsuleId: string) => (await store().granules.counts(kapsuleId)).total;

  describe('granules', () => {
    it('counts nothing for a kapsule without granules', async () => {
      expect(await store().granules.counts(newId())).toEqual({ total: 0, reloaded: 0, notReloaded: 0 });
      expect(await store().granules.bulkUpsert(newId(), [])).toBe(0);
    });

    it('counts each key once, however often it is written', async () => {
      const kapsule = newId();
      expect(await store().granules.bulkUpsert(kapsule, someGranules(100))).toBe(100);
      expect(await store().granules.bulkUpsert(kapsule, someGranules(150))).toBe(150);
      const twice = [...someGranules(1, 'twin'), ...someGranules(1, 'twin')];
      expect(await store().granules.bulkUpsert(kapsule, twice)).toBe(2);
      expect(await store().granules.counts(kapsule)).toEqual({ total: 151, reloaded: 0, notReloaded: 151 });
    });

    it('keeps the same key of two kapsules apart, and counts all kapsules at once', async () => {
      const [one, two] = [newId(), newId()];
      await store().granules.bulkUpsert(one, someGranules(3));
      await store().granules.bulkUpsert(two, someGranules(5));
      const counts = await store().granules.countsOfAll();
      expect([counts.get(one), counts.get(two), counts.has(newId())]).toEqual([
        { total: 3, reloaded: 0, notReloaded: 3 },
        { total: 5, reloaded: 0, notReloaded: 5 },
        false,
      ]);
    });

    it('counts exactly when many write the same keys at once', async () => {
      const kapsule = newId();
      const writers = Array.from({ length: WRITERS }, () =>
        store().granules.bulkUpsert(kapsule, someGranules(CONTESTED)),
      );
      expect(await Promise.all(writers)).toEqual(Array.from({ length: WRITERS }, () => CONTESTED));
      expect(await total(kapsule)).toBe(CONTESTED);
    });

    it('asks a stream for rows only as fast as it stores them', async () => {
      const kapsule = newId();
      let furthest = 0;
      async function* rows(): AsyncGenerator<GranuleInput> {
        let given = 0;
        for (const row of someGranules(STREAMED)) {
          if (given % 1_000 === 0) furthest = Math.max(furthest, given - (await total(kapsule)));
          given += 1;
          yield row;
        }
      }
      expect(await store().granules.bulkUpsert(kapsule, rows())).toBe(STREAMED);
      expect(furthest).toBeGreaterThan(0);
      expect(furthest).toBeLessThanOrEqual(AHEAD);
    });

    it('keeps the batches before a failing stream, and nothing of the one in which it failed', async () => {
      const kapsule = newId();
      async function* rows(): AsyncGenerator<GranuleInput> {
        yield* someGranules(LONG / 2 + 1);
        throw new RangeError('the file ends here');
      }
      await expect(store().granules.bulkUpsert(kapsule, rows())).rejects.toThrow('the file ends here');
      const stored = await total(kapsule);
      expect(stored).toBeGreaterThan(0);
      expect(stored % 1_000, `${stored} rows are not whole batches`).toBe(0);
    });

    it('leaves room for other work between its batches', async () => {
      const bulk = store().granules.bulkUpsert(newId(), someGranules(LONG));
      await store().transaction((nouns) => nouns.instance.all());
      const atThatTime = await Promise.race([bulk, Promise.resolve('still writing')]);
      expect(atThatTime).toBe('still writing');
      await bulk;
    });

    it.each([
      ['key', 'a\0b'],
      ['key', 'a\uDC00'],
      ['user', '\0'],
    ])('refuses a %s that some database could not hold: %j', async (field, text) => {
      const kapsule = newId();
      const row = { key: 'k', user: 'u', data: {}, [field]: text };
      await expect(store().granules.bulkUpsert(kapsule, [row])).rejects.toThrow(InvalidTextError);
      expect(await total(kapsule)).toBe(0);
    });

    it('takes any data: every script, NUL, __proto__, 1 MB, nothing', async () => {
      const proto = JSON.parse('{"__proto__":{"x":1},"nested":[{"n":null}]}') as Record<string, unknown>;
      const data = [{ text: 'Überraschung 驚き 😀 \0 \uD800' }, proto, { big: 'x'.repeat(1_000_000) }, {}];
      const kapsule = newId();
      const rows = data.map((value, n) => ({ key: `schlüssel ${n} 😀`, user: 'Jürgen', data: value }));
      expect(await store().granules.bulkUpsert(kapsule, rows)).toBe(4);
      expect(await total(kapsule)).toBe(4);
    });
  });
}
