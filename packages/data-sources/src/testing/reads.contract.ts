import type { GranuleSort } from '@kaptain/contract/granule-records';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../../tools/test-size.ts';
import type { Binding, DataSource } from '../data-source.ts';
import { addTable, everything, keysOf, linesOf, row, someRows, write } from './samples.ts';

/** More than one chunk of a stream. */
const STREAMED = sized(8_000, 2_500);

/** The reads of every data source: pages, rows of given keys, streams. */
export function readsContract(source: () => DataSource): void {
  const newTable = () => addTable(source());
  const keys = (binding: Binding, query?: object) => keysOf(source(), binding, query);

  describe('pages', () => {
    const sorts: GranuleSort[] = ['key', 'user', 'reloaded', 'createdAt', 'updatedAt'];

    it('are complete and sorted in both directions, for every sort', async () => {
      const binding = await newTable();
      const rows = Array.from({ length: 60 }, (_, n) => ({
        key: `k${String((n * 37) % 60).padStart(3, '0')}`,
        user: `u${n % 7}`,
        data: {},
        createdAt: new Date(Date.UTC(2026, 0, 1 + ((n * 13) % 28))).toISOString(),
      }));
      await write(source(), binding, rows.slice(0, 30));
      await source().transaction(binding, async (writes) => writes.markReloaded(1));
      await write(source(), binding, rows.slice(30));
      for (const sort of sorts) {
        for (const descending of [false, true]) {
          const all = (await source().page(binding, { ...everything, sort, descending })).rows;
          const values = all.map((record) => (sort === 'reloaded' ? Number(record.reloaded) : record[sort]));
          const sorted = values.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
          expect([sort, values]).toEqual([sort, descending ? sorted.toReversed() : sorted]);
          const pieces: string[] = [];
          for (let offset = 0; offset < 60; offset += 25)
            pieces.push(...(await keys(binding, { sort, descending, offset, limit: 25 })));
          expect(pieces).toEqual(all.map(({ key }) => key));
        }
      }
      expect(await source().page(binding, { ...everything, offset: 1e9 })).toEqual({
        rows: [],
        total: 60,
        totalIsExact: true,
        isCut: false,
        isPartial: false,
      });
      expect((await source().page(binding, { ...everything, limit: 0 })).rows).toEqual([]);
    });

    it('find a text in the key, the user and every value, literally and without case', async () => {
      const binding = await newTable();
      await write(source(), binding, [
        {
          key: 'ORDER-77-Ä',
          user: 'UserId=Ann',
          data: {
            Comment: 'Eine Überraschung',
            Amount: 1234.5,
            Done: true,
            Due: '2026-12-24',
            Tags: ['Treasure'],
          },
        },
        { key: 'other', user: 'x', data: { Comment: "50% a_b [c] it's ! \\", Done: false } },
      ]);
      for (const q of [
        'order-77',
        '77-ä',
        'userid=ann',
        'ÜBERRASCH',
        '1234.5',
        'true',
        '2026-12',
        'TREASURE',
      ])
        expect([q, await keys(binding, { q })]).toEqual([q, ['ORDER-77-Ä']]);
      for (const q of ['50%', 'a_b', '[c]', "it's", '!', '\\', 'FALSE'])
        expect([q, await keys(binding, { q })]).toEqual([q, ['other']]);
      for (const q of ['%', '_', 'a%b', "' OR '1'='1"])
        expect((await keys(binding, { q })).includes('ORDER-77-Ä')).toBe(false);
    });
  });

  describe('look-ups by keys', () => {
    it('answer in the order of the keys, null for missing and deleted ones, and a repeated key again', async () => {
      const binding = await newTable();
      await write(source(), binding, [...someRows(4), row('ä "\\', { Comment: 'odd' })]);
      const page = await source().page(binding, everything);
      const gone = page.rows.find(({ key }) => key === 'key-1');
      await source().transaction(binding, (writes) => writes.removeMany([gone?.id ?? ''], 'Bob'));
      const wanted = ['key-3', 'none', 'key-1', 'ä "\\', 'key-3', 'x'.repeat(2_000), ''];
      const found = await source().lookup(binding, wanted);
      expect(found.map((record) => record?.key ?? null)).toEqual([
        'key-3',
        null,
        null,
        'ä "\\',
        'key-3',
        null,
        null,
      ]);
      expect(found[0]).toEqual(page.rows.find(({ key }) => key === 'key-3'));
      expect(await source().lookup(binding, [])).toEqual([]);
    });

    it('end before the first row that no longer fits', async () => {
      const binding = await newTable();
      const large = (n: number) => row(`k${n}`, { Comment: 'x'.repeat(400_000) });
      await write(source(), binding, [0, 1, 2, 3].map(large));
      const keys = ['none', 'k0', 'k1', 'absent', 'k2', 'k3'];
      const first = await source().lookup(binding, keys);
      expect(first.map((record) => record?.key ?? null)).toEqual([null, 'k0', 'k1', null]);
      const rest = await source().lookup(binding, keys.slice(first.length));
      expect(rest.map((record) => record?.key ?? null)).toEqual(['k2', 'k3']);
    });
  });

  describe('streams', () => {
    it('are chunks of one snapshot, can be aborted at any time, and release their connection', async () => {
      const binding = await newTable();
      await source().bulkUpsert(binding, someRows(STREAMED));
      let seen = 0;
      for await (const chunk of source().stream(binding, {})) {
        if (seen === 0)
          await write(source(), binding, [row('late'), row(`key-${STREAMED - 1}`, { Comment: 'changed' })]);
        expect(chunk.length).toBeLessThan(300_000);
        expect(chunk).not.toMatch(/"late"|"changed"/);
        seen += chunk.split('\n').length - 1;
      }
      expect(seen).toBe(STREAMED);
      // As many as there are connections; those to MySQL are four in its test.
      const connections = source().type === 'mysql' ? sized(12, 4) : 12;
      for (let n = 0; n < connections; n += 1)
        for await (const chunk of source().stream(binding, {})) if (chunk) break;
      expect(await linesOf(source().stream(binding, { q: `remark ${STREAMED - 2}` }))).toMatchObject([
        { key: `key-${STREAMED - 2}` },
      ]);
    });
  });
}
