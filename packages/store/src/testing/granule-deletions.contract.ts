import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../../tools/test-size.ts';
import { newId } from '../ids.ts';
import type { Store } from '../store.ts';
import { linesOf } from './lines.ts';
import { someGranules } from './samples.ts';

const MANY = sized(100_000, 3_000);

interface Told {
  _id?: string;
  key: string;
  data?: Record<string, unknown>;
  deleted?: true;
  deletedAt?: string;
}

export function granuleDeletionsContract(store: () => Store, second: () => Promise<Store>): void {
  const follow = async (kapsule: string, since: number, isTable = false): Promise<Told[]> => {
    const lines = await linesOf(store().granules.stream(kapsule, { since, isTable, deletions: true }));
    return lines.map((line) => JSON.parse(line) as Told);
  };
  const told = async (kapsule: string, since: number) =>
    (await follow(kapsule, since)).map(({ key, deleted }) => (deleted ? `-${key}` : key));
  const deletedSince = (kapsule: string, since: number) => store().granules.deletedSince(kapsule, since);
  const watermark = (kapsule: string) => store().granules.watermark(kapsule);
  const write = async (kapsule: string, ...keys: string[]) =>
    (
      await store().granules.upsert(
        kapsule,
        keys.map((key) => ({ key, user: 'Ann', data: { at: newId() } })),
      )
    ).map(({ id }) => id);

  describe('a reader that follows the changes', () => {
    it('is told of deletions in their place among the changes, and those who do not ask see what they saw before', async () => {
      const kapsule = newId();
      const [a = '', b = '', c = ''] = await write(kapsule, 'a', 'b"\\\n\u2028', 'c', 'd');
      const since = await watermark(kapsule);
      await write(kapsule, 'e');
      await store().granules.removeMany([b], 'Bob');
      await write(kapsule, 'd');
      await store().granules.removeMany([a, c], 'Bob');
      const [first, deletion, ...others] = await follow(kapsule, since);
      expect(first).toMatchObject({ key: 'e', version: 1 });
      expect(deletion).toEqual({
        _id: b,
        key: 'b"\\\n\u2028',
        deleted: true,
        deletedAt: expect.stringMatching(/Z$/),
      });
      expect(others.map(({ key, deleted }) => [key, deleted]).slice(0, 1)).toEqual([['d', undefined]]);
      expect(new Set(others.slice(1).map(({ key }) => key))).toEqual(new Set(['a', 'c']));
      expect((await store().granules.get(b))?.deletedAt).toBe(deletion?.deletedAt);
      expect(await deletedSince(kapsule, since)).toBe(3);
      const inTable = (await follow(kapsule, since, true)).find(({ deleted }) => deleted);
      expect(inTable).toMatchObject({ key: deletion?.key, deleted: true, deletedAt: deletion?.deletedAt });
      const plain = await linesOf(store().granules.stream(kapsule, { since }));
      expect(plain.map((line) => (JSON.parse(line) as Told).key)).toEqual(['e', 'd']);
      const now = await watermark(kapsule);
      expect([await told(kapsule, now), await deletedSince(kapsule, now)]).toEqual([[], 0]);
      expect([await told(newId(), 0), await deletedSince(newId(), 0)]).toEqual([[], 0]);
    });

    it('is told of a key once, as it is: written again, restored, or inserted and deleted since', async () => {
      const kapsule = newId();
      const [a = '', b = '', c = ''] = await write(kapsule, 'a', 'b', 'c');
      const since = await watermark(kapsule);
      const [d = ''] = await write(kapsule, 'd');
      await store().granules.removeMany([a, b, c, d], 'Bob');
      const between = await watermark(kapsule);
      await write(kapsule, 'a');
      await store().granules.restoreMany([b], 'Bob');
      await store().granules.importAll(kapsule, [{ key: 'c', user: 'x', data: {} }], async () => undefined);
      expect([await told(kapsule, since), await deletedSince(kapsule, since)]).toEqual([
        ['-d', 'a', 'b', 'c'],
        1,
      ]);
      expect([await told(kapsule, between), await deletedSince(kapsule, between)]).toEqual([
        ['a', 'b', 'c'],
        0,
      ]);
      await store().granules.removeMany([a], 'Bob');
      expect([await told(kapsule, between), await deletedSince(kapsule, 0)]).toEqual([['b', 'c', '-a'], 2]);
    });

    it('finds few changes among many granules and many deletions', async () => {
      const kapsule = newId();
      await store().granules.bulkUpsert(kapsule, someGranules(MANY));
      const since = await watermark(kapsule);
      const { rows } = await store().granules.page(kapsule, {
        sort: 'key',
        descending: false,
        offset: 0,
        limit: 1_000,
      });
      await store().granules.removeMany(
        rows.map(({ id }) => id),
        'Bob',
      );
      const after = await watermark(kapsule);
      expect(after).toBe(since + rows.length);
      const [late = ''] = await write(kapsule, 'late', 'stays');
      await store().granules.removeMany([late], 'Bob');
      expect(new Set(await told(kapsule, since))).toEqual(
        new Set([...rows.map(({ key }) => `-${key}`), '-late', 'stays']),
      );
      const began = performance.now();
      expect(await told(kapsule, after)).toEqual(['stays', '-late']);
      expect(await deletedSince(kapsule, after)).toBe(1);
      const few = performance.now() - began;
      const beganAll = performance.now();
      expect(await told(kapsule, 0)).toHaveLength(MANY + 2);
      // With few granules both take only as long as a query itself.
      const share = sized(4, 0.1);
      expect(few).toBeLessThan((performance.now() - beganAll) / share);
    });

    it('does not confirm more rows because of deletions', async () => {
      const kapsule = newId();
      const [a = ''] = await write(kapsule, 'a', 'b');
      await store().granules.removeMany([a], 'Bob');
      expect(await store().granules.markReloaded(kapsule, await watermark(kapsule))).toBe(1);
      expect(await store().granules.counts(kapsule)).toEqual({ total: 1, reloaded: 1, notReloaded: 0 });
    });

    it('has what is stored in the end, whatever several writers do meanwhile', async () => {
      const key = fc.integer({ min: 0, max: 9 });
      const step = fc.record({
        do: fc.constantFrom('write' as const, 'remove' as const, 'restore' as const, 'bulk' as const),
        keys: fc.uniqueArray(key, { minLength: 1, maxLength: 4 }),
      });
      const writer = fc.array(step, { minLength: 1, maxLength: sized(12, 6) });
      const isMirrored = fc.asyncProperty(writer, writer, writer, async (...writers) => {
        const kapsule = newId();
        const ids = await write(kapsule, ...Array.from({ length: 10 }, (_, n) => `k${n}`));
        const stores = [store(), await second(), store()];
        const mirror = new Map<string, unknown>();
        let since = 0;
        const read = async () => {
          const next = await watermark(kapsule);
          for (const { key: name, data, deleted } of await follow(kapsule, since)) {
            if (deleted) mirror.delete(name);
            else mirror.set(name, data);
          }
          since = next;
        };
        const written = new AbortController();
        const reading = (async () => {
          while (!written.signal.aborted) await read();
        })();
        const work = writers.map(async (steps, n) => {
          const { granules } = stores[n] as Store;
          for (const { do: action, keys } of steps) {
            const chosen = keys.map((k) => ids[k] ?? '');
            const rows = keys.map((k) => ({ key: `k${k}`, user: 'u', data: { at: newId() } }));
            if (action === 'remove') await granules.removeMany(chosen, 'x');
            else if (action === 'restore') await granules.restoreMany(chosen, 'x');
            else if (action === 'write') await granules.upsert(kapsule, rows);
            else await granules.bulkUpsert(kapsule, rows);
          }
        });
        await Promise.all(work).finally(() => written.abort());
        await reading;
        await read();
        const stored = await linesOf(store().granules.stream(kapsule, {}));
        const entries = stored
          .map((line) => JSON.parse(line) as Told)
          .map((row) => [row.key, row.data] as const);
        expect(mirror).toEqual(new Map(entries));
      });
      await expect(fc.assert(isMirrored, { numRuns: sized(60, 4) })).resolves.toBeUndefined();
    });
  });
}
