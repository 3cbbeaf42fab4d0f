import { describe, expect, it } from 'vitest';
import { sized } from '../../../../tools/test-size.ts';
import { UnavailableError } from '../errors.ts';
import type { GranuleStreamQuery } from '../granules.ts';
import { newId } from '../ids.ts';
import type { Store } from '../store.ts';
import { linesIn, linesOf } from './lines.ts';
import { someGranules } from './samples.ts';
import type { TestDatabase } from './test-database.ts';

/** More than any backend reads ahead of its consumer: what a row costs is its number more than its length. */
const MANY = sized(20_000, 2_500);
const LENGTH = sized(1, 500);
const lastKey = `key-${MANY - 1}`;

interface Line {
  _id: string;
  key: string;
  data: Record<string, unknown>;
  reloaded: boolean;
}

export function granuleStreamsContract(store: () => Store, _: unknown, database: () => TestDatabase): void {
  async function read(kapsule: string, filter: GranuleStreamQuery = {}): Promise<Line[]> {
    const lines = await linesOf(store().granules.stream(kapsule, filter));
    return lines.map((line) => JSON.parse(line) as Line);
  }
  const keys = async (kapsule: string, filter?: GranuleStreamQuery) =>
    (await read(kapsule, filter)).map(({ key }) => key);

  /** Filled once, for tests that need many granules and not their number: filling it takes longer than reading it. */
  let unchanged: Promise<string> | undefined;
  const filled = async () => {
    const kapsule = newId();
    const text = '-'.repeat(LENGTH);
    const rows = someGranules(MANY).map((row) => ({ ...row, data: { ...row.data, text } }));
    await store().granules.bulkUpsert(kapsule, rows);
    return kapsule;
  };
  const shared = () => (unchanged ??= filled());

  describe('streams of granules', () => {
    it('give each granule as the wire knows it, to the letter', async () => {
      const kapsule = newId();
      const row = {
        key: 'K"\\\n\u2028😀',
        user: "Jür'gen",
        data: { text: 'a\0\uD800"\n', n: 1.5, list: [null] },
      };
      const [stored] = await store().granules.upsert(kapsule, [
        { ...row, createdAt: '2020-01-01T00:00:00.000Z' },
      ]);
      const record = await store().granules.get(stored?.id ?? '');
      expect(await read(kapsule)).toEqual([
        {
          _id: stored?.id,
          ...row,
          reloaded: false,
          createdAt: '2020-01-01T00:00:00.000Z',
          updatedAt: record?.updatedAt,
          version: 1,
        },
      ]);
      const [cells] = await read(kapsule, { isTable: true });
      const { createdAt, updatedAt } = record ?? {};
      expect(cells).toMatchObject({ ...row, createdAt, updatedAt });
      expect(await read(newId())).toEqual([]);
    });

    it('go in order of change, begin after a watermark, and keep to the filter', async () => {
      const kapsule = newId();
      await store().granules.upsert(kapsule, [...someGranules(5)]);
      const watermark = await store().granules.watermark(kapsule);
      await store().granules.markReloaded(kapsule, watermark);
      const [second] = await store().granules.upsert(kapsule, [
        { key: 'key-1', user: 'x', data: { changed: 'Ünique' } },
      ]);
      expect(await keys(kapsule)).toEqual(['key-0', 'key-2', 'key-3', 'key-4', 'key-1']);
      expect(await keys(kapsule, { since: watermark })).toEqual(['key-1']);
      expect(await keys(kapsule, { reloaded: false })).toEqual(['key-1']);
      expect(await keys(kapsule, { q: 'ünique' })).toEqual(['key-1']);
      expect(await keys(kapsule, { q: 'mark', reloaded: true })).toEqual([
        'key-0',
        'key-2',
        'key-3',
        'key-4',
      ]);
      expect(await keys(kapsule, { q: '4' })).toEqual(['key-4']);
      await store().granules.removeMany([second?.id ?? ''], 'Bob');
      expect(await keys(kapsule, { deleted: true })).toEqual(['key-1']);
      expect(await keys(kapsule, { deleted: true, q: 'üNIQUE' })).toEqual(['key-1']);
      expect(await keys(kapsule, { deleted: true, q: 'mark' })).toEqual([]);
      expect(await keys(kapsule, { since: watermark })).toEqual([]);
    });

    it('come in chunks, many at once, and can be left at any time', async () => {
      const kapsule = await shared();
      const readAll = async () => {
        const sizes: number[] = [];
        for await (const chunk of store().granules.stream(kapsule, {})) sizes.push(chunk.length);
        return sizes;
      };
      for (const sizes of await Promise.all(Array.from({ length: sized(8, 2) }, readAll))) {
        expect(sizes.length).toBeGreaterThan(5);
        expect(Math.max(...sizes)).toBeLessThan(600_000);
      }
      for (let n = 0; n < sized(20, 3); n += 1) {
        for await (const chunk of store().granules.stream(kapsule, {})) {
          expect(chunk.length).toBeGreaterThan(0);
          break;
        }
      }
      expect(await read(kapsule)).toHaveLength(MANY);
    });

    it('go on when their consumer transfers the memory of a chunk to another thread', async () => {
      // Lines whose sizes let some chunks end where the database's own pieces end.
      const kapsule = await shared();
      let lines = 0;
      for await (const chunk of store().granules.stream(kapsule, {})) {
        lines += linesIn(chunk).length;
        if (chunk.byteLength === chunk.buffer.byteLength)
          structuredClone(chunk.buffer, { transfer: [chunk.buffer as ArrayBuffer] });
      }
      expect(lines).toBe(MANY);
    });

    it('fail, and never end early, when the store is closed under them', async () => {
      const kapsule = await shared();
      const closing = await database().open();
      const interrupted = (async () => {
        for await (const chunk of closing.granules.stream(kapsule, {})) {
          if (chunk.length > 0) await closing.close();
        }
      })();
      await expect(interrupted).rejects.toThrow(UnavailableError);
    });

    it('see one moment, whatever is written while they are read', async () => {
      // Last of those that share it, because it changes it.
      const kapsule = await shared();
      const seen: Line[] = [];
      for await (const chunk of store().granules.stream(kapsule, {})) {
        if (seen.length === 0) {
          await store().granules.upsert(kapsule, [
            { key: lastKey, user: 'x', data: { late: true } },
            ...someGranules(5, 'late'),
          ]);
        }
        seen.push(...linesIn(chunk).map((line) => JSON.parse(line) as Line));
      }
      expect(seen).toHaveLength(MANY);
      expect(seen.at(-1)).toMatchObject({ key: lastKey, data: { n: MANY - 1 } });
    });

    it('stay small when large granules stand among small ones', async () => {
      const kapsule = newId();
      const large = { text: 'x'.repeat(500_000) };
      const rows = [...someGranules(300)].map((row, n) => (n % 150 > 147 ? { ...row, data: large } : row));
      await store().granules.upsert(kapsule, rows);
      const sizes: number[] = [];
      const seen: Line[] = [];
      for await (const chunk of store().granules.stream(kapsule, {})) {
        sizes.push(chunk.length);
        seen.push(...linesIn(chunk).map((line) => JSON.parse(line) as Line));
      }
      expect(seen.map(({ key }) => key)).toEqual(rows.map(({ key }) => key));
      expect(seen[149]?.data).toEqual(large);
      expect(Math.max(...sizes)).toBeLessThan(1_200_000);
    });
  });
}
