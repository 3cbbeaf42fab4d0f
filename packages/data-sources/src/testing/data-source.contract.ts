import { setTimeout } from 'node:timers/promises';
import { GranuleConflictError, type GranuleInput, type GranuleSort } from '@kaptain/contract/granule-records';
import { describe, expect, it } from 'vitest';
import type { Binding, DataSource } from '../data-source.ts';
import { DataSourceError } from '../errors.ts';
import { aBinding, everything, linesOf, row, someRows, write } from './samples.ts';

/** The contract suite that every data source must pass. */
export function dataSourceContract(source: () => DataSource): void {
  async function newTable(change?: Partial<Binding>): Promise<Binding> {
    const binding = aBinding(change);
    expect(await source().ensureTable(binding)).toEqual({ isNew: true });
    return binding;
  }
  const refusal = (category: string, words: RegExp) =>
    expect.objectContaining({ name: 'DataSourceError', category, message: expect.stringMatching(words) });
  const keys = async (binding: Binding, query: object = {}) =>
    (await source().page(binding, { ...everything, ...query })).rows.map(({ key }) => key);

  describe('tables', () => {
    it('are created, described, completed when fields are added, and never lose a column', async () => {
      const binding = await newTable();
      await write(source(), binding, [row('a', { Comment: 'kept' })]);
      const more = {
        ...binding,
        fields: [{ name: 'Extra', type: 'number' as const }, ...binding.fields.slice(1)],
      };
      expect(await source().ensureTable(more)).toEqual({ isNew: false });
      await write(source(), more, [row('b', { Extra: 5 })]);
      const info = await source().describe(binding.table);
      expect(info).toMatchObject({ name: binding.table, madeByUs: true });
      expect(info?.columns.map(({ name }) => name)).toEqual([
        'OrderId',
        ...binding.fields.map(({ name }) => name),
        'Extra',
      ]);
      const { rows } = await source().page(binding, everything);
      expect(rows.map(({ data }) => data)).toEqual([{ Comment: 'kept' }, {}]);
      expect(await source().describe(`${binding.table}_no`)).toBeUndefined();
    });

    it('can be dropped, and are then reported as missing', async () => {
      const binding = await newTable();
      await write(source(), binding, [row('a')]);
      await source().dropTable(binding.table, false);
      await source().dropTable(binding.table, false);
      await expect(source().page(binding, everything)).rejects.toEqual(
        refusal('missingTable', new RegExp(`There is no table ${binding.table}`)),
      );
      expect(await source().ensureTable(binding)).toEqual({ isNew: true });
      expect(await source().history(binding, 'f'.repeat(24))).toEqual([]);
    });
  });

  describe('values', () => {
    it('of every type are read back as written, boundary values included', async () => {
      const binding = await newTable();
      const data = [
        {
          Comment: 'Überraschung 驚き 😀 \' " \\ \n\t; DROP',
          Amount: -1.5e-7,
          Done: true,
          Tags: ['a', 1, 'b"'],
        },
        { Amount: 9_007_199_254_740_991, Done: false, Due: '0001-01-01', Seen: '1000-01-01T00:00:00.000Z' },
        { Amount: 0.1, Due: '9999-12-31', Seen: '9999-12-31T23:59:59.999Z', Tags: [] },
        { Talk: '2026-01-01T00:00:00Z CORP\\ann [k3f9x2a1]\n  Lange her 😀\n  \n  @[CORP\\bob]' },
        { Comment: 'x'.repeat(3_000), Amount: 1e100, Due: '2024-02-29', Seen: '2024-03-31T02:30:00.001Z' },
        {},
      ];
      await write(
        source(),
        binding,
        data.map((values, n) => row(`k${n}`, values)),
      );
      const { rows } = await source().page(binding, everything);
      expect(rows.map((record) => record.data)).toEqual(data);
      expect((await linesOf(source().stream(binding, {}))).map((line) => line.data)).toEqual(data);
    });

    it.each([
      [{ Amount: 'many' }, /value of "Amount" of "k" is not a number/],
      [{ Done: 'perhaps' }, /"Done" of "k" is neither true nor false/],
      [{ Due: '2026-02-30' }, /"Due" of "k" is not a date/],
      [{ Seen: 'yesterday' }, /"Seen" of "k" is not a time/],
      [{ Comment: 'a\0b' }, /"Comment" of "k" has a character that can not be stored/],
      [{ Nowhere: 1 }, /"Nowhere" of "k" has no column in the table/],
    ])('that fit no column are refused with the name of the field: %j', async (data, words) => {
      const binding = await newTable();
      await expect(write(source(), binding, [row('ok'), row('k', data)])).rejects.toEqual(
        refusal('value', words),
      );
      expect(await source().counts(binding)).toMatchObject({ total: 0 });
    });

    it('keep keys apart by case and accent, whatever the collation of the server', async () => {
      const binding = await newTable();
      const all = ['A', 'E', 'a', 'e', 'é', '漢', '😀'];
      await write(
        source(),
        binding,
        all.map((key) => row(key)),
      );
      expect(await keys(binding)).toEqual(all);
    });
  });

  describe('upserts', () => {
    it('increase the version of changed rows, and leave unchanged rows as they are', async () => {
      const binding = await newTable();
      const full = {
        Comment: 'c',
        Amount: 0.1,
        Done: true,
        Due: '2026-01-31',
        Seen: '2026-01-31T10:00:00.000Z',
        Tags: ['x'],
      };
      const [first] = await write(source(), binding, [row('a', full), row('b', { Amount: 1 })]);
      await source().transaction(binding, async (writes) =>
        writes.markReloaded(await source().watermark(binding)),
      );
      const again = await write(source(), binding, [row('a', full), row('b', { Amount: 2 })]);
      expect(again.map(({ version }) => version)).toEqual([1, 2]);
      expect(again[0]).toEqual(first);
      expect(await source().counts(binding)).toEqual({ total: 2, reloaded: 1, notReloaded: 1 });
      const [other] = await write(source(), binding, [{ ...row('a', full), user: 'Bob' }]);
      expect(other?.version).toBe(2);
      expect(await source().get(binding, first?.id ?? '')).toMatchObject({
        key: 'a',
        user: 'Bob',
        version: 2,
        data: full,
      });
    });

    it('store nothing when one version is stale, and report the given and the stored row', async () => {
      const binding = await newTable();
      await write(source(), binding, [row('A', { Amount: 1 }), row('B', { Amount: 1 })]);
      await write(source(), binding, [row('B', { Amount: 2 })]);
      const rows = [
        row('A', { Amount: 5 }, 1),
        row('B', { Amount: 5 }, 1),
        row('C', {}, 3),
        row('A', { Amount: 6 }, 1),
      ];
      const error = await write(source(), binding, rows).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(GranuleConflictError);
      expect((error as GranuleConflictError).conflicts).toMatchObject([
        {
          key: 'B',
          givenVersion: 1,
          givenData: { Amount: 5 },
          storedVersion: 2,
          storedUser: 'Ann',
          storedData: { Amount: 2 },
        },
        { key: 'C', givenVersion: 3, storedVersion: 0, storedUser: null, storedData: null },
        { key: 'A', givenVersion: 1, storedVersion: 2, storedData: { Amount: 5 } },
      ]);
      expect(
        (await write(source(), binding, [row('A', { Amount: 2 }, 1), row('D', {}, 0)])).map((r) => r.version),
      ).toEqual([2, 1]);
    });

    it('let exactly one of many concurrent updates of the same version succeed', async () => {
      const binding = await newTable();
      await write(source(), binding, [row('A', { Amount: -1 })]);
      const tries = Array.from({ length: 30 }, (_, n) =>
        write(source(), binding, [row('A', { Amount: n }, 1)]),
      );
      const results = await Promise.allSettled(tries);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const losers = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      expect(losers.every((reason) => reason instanceof GranuleConflictError)).toBe(true);
    });

    it('are rolled back together when the work of the transaction fails', async () => {
      const binding = await newTable();
      const failing = source().transaction(binding, async (writes) => {
        await writes.upsert([...someRows(10)]);
        await writes.upsertAll(someRows(6_000, 'more'));
        throw new RangeError('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await source().counts(binding)).toEqual({ total: 0, reloaded: 0, notReloaded: 0 });
    });

    it('are looked up in their transaction, also while a stream of them is stored', async () => {
      const binding = await newTable();
      await write(source(), binding, [row('old', { Amount: 1 })]);
      await source().transaction(binding, async (writes) => {
        async function* rows() {
          yield* someRows(6_000);
          const found = await writes.lookup(['old', 'key-0', 'none']);
          expect(found.map((one) => one && [one.key, one.version])).toEqual([['old', 1], ['key-0', 1], null]);
          yield { ...row('old', { Amount: 2 }), version: 1 };
        }
        expect(await writes.upsertAll(rows())).toBe(6_001);
        expect(await writes.lookup(['old'])).toMatchObject([{ version: 2, data: { Amount: 2 } }]);
      });
    });

    it('of a stream update existing rows, also after many new ones', async () => {
      const binding = await newTable();
      const [old, same, gone] = await write(source(), binding, [
        row('old', { Amount: 1 }),
        row('same', { Amount: 1 }),
        row('gone', { Amount: 1 }),
      ]);
      await source().transaction(binding, (writes) => writes.removeMany([gone?.id ?? ''], 'Bob'));
      const meeting = [
        row('old', { Amount: 2 }),
        row('same', { Amount: 1 }),
        row('gone', { Amount: 2, Tags: ['back\\slash', 'tab\there'] }),
        row('key-0', { Amount: 9 }),
        row('key-5098', { Amount: 9 }),
        row('twice', { Due: '2026-01-31' }),
        row('twice', { Seen: '2026-01-31T10:00:00.000Z' }),
      ];
      const all = [...someRows(5_100), ...meeting];
      expect(await source().transaction(binding, (writes) => writes.upsertAll(all))).toBe(5_107);
      expect((await source().counts(binding)).total).toBe(5_104);
      const found = async (key: string) =>
        (await source().page(binding, { ...everything, q: key })).rows.find((stored) => stored.key === key);
      const time = { Seen: '2026-01-31T10:00:00.000Z' };
      expect(await found('old')).toMatchObject({ id: old?.id, version: 2, data: { Amount: 2 } });
      expect(await found('same')).toMatchObject({ id: same?.id, version: 1 });
      const back = { Amount: 2, Tags: ['back\\slash', 'tab\there'] };
      expect(await found('gone')).toMatchObject({ id: gone?.id, version: 2, data: back });
      expect(await found('key-0')).toMatchObject({ version: 2, user: 'Ann', data: { Amount: 9 } });
      expect(await found('key-5098')).toMatchObject({ version: 2, data: { Amount: 9 } });
      expect(await found('key-4000')).toMatchObject({
        version: 1,
        user: 'UserId=ann',
        reloaded: false,
        data: { Comment: 'remark 4000', Amount: 4000 },
      });
      expect(await found('twice')).toMatchObject({ version: 2, data: time });
      expect(await source().history(binding, (await found('twice'))?.id ?? '')).toMatchObject([
        { version: 2, data: time },
        { version: 1, data: { Due: '2026-01-31' } },
      ]);
    });

    it('of a stream that breaks keep the committed batches, and nothing of the current one', async () => {
      const binding = await newTable();
      async function* rows(): AsyncGenerator<GranuleInput> {
        yield* someRows(7_000);
        throw new RangeError('the file ends here');
      }
      await expect(source().bulkUpsert(binding, rows())).rejects.toThrow('the file ends here');
      const { total } = await source().counts(binding);
      expect(total).toBeGreaterThan(0);
      expect(total).toBeLessThan(7_000);
      const stored = (await linesOf(source().stream(binding, {}))).map(({ key }) => key);
      expect(new Set(stored)).toEqual(new Set([...someRows(total)].map(({ key }) => key)));
      const twice = [...someRows(3), ...someRows(3)].map((given, n) => ({ ...given, data: { Amount: n } }));
      expect(await source().bulkUpsert(binding, twice)).toBe(6);
      expect((await source().counts(binding)).total).toBe(total);
    });
  });

  describe('the states of a row', () => {
    it('are in its history, newest first, through deletion and restoring', async () => {
      const binding = await newTable();
      await write(source(), binding, [row('A', { Amount: 1 })]);
      const [stored] = await write(source(), binding, [{ ...row('A', { Amount: 2 }), user: 'Bob' }]);
      const id = stored?.id ?? '';
      const change = (work: 'removeMany' | 'restoreMany', by: string) =>
        source().transaction(binding, (writes) => writes[work]([id, id, 'f'.repeat(24)], by));
      expect(await change('removeMany', 'Cid')).toBe(1);
      expect(await change('removeMany', 'Cid')).toBe(0);
      expect(await keys(binding)).toEqual([]);
      expect(await source().page(binding, { ...everything, deleted: true, q: 'A' })).toMatchObject({
        rows: [{ id, deletedBy: 'Cid', reloaded: false }],
        total: 1,
      });
      expect(await linesOf(source().stream(binding, { deleted: true, q: 'a' }))).toMatchObject([
        { key: 'A' },
      ]);
      expect(await linesOf(source().stream(binding, { deleted: true, q: 'absent' }))).toEqual([]);
      expect(await change('restoreMany', 'Dan')).toBe(1);
      expect(await change('restoreMany', 'Dan')).toBe(0);
      await change('removeMany', 'Eve');
      const [back] = await write(source(), binding, [row('A', { Amount: 3 }, 0)]);
      expect(back).toEqual({ id, key: 'A', version: 4 });
      const time = expect.stringMatching(/^\d{4}-.*Z$/);
      const state = { updatedAt: time, deletedAt: null, deletedBy: null, restoredBy: null };
      expect(await source().history(binding, id)).toEqual([
        { ...state, version: 4, user: 'Ann', data: { Amount: 3 } },
        { ...state, version: 3, user: 'Bob', data: { Amount: 2 }, deletedAt: time, deletedBy: 'Eve' },
        {
          ...state,
          version: 2,
          user: 'Bob',
          data: { Amount: 2 },
          deletedAt: time,
          deletedBy: 'Cid',
          restoredBy: 'Dan',
        },
        { ...state, version: 1, user: 'Ann', data: { Amount: 1 } },
      ]);
      const day = new Date().toISOString().slice(0, 10);
      expect(await source().changesPerDay(binding, 2)).toEqual([{ day, changes: 6 }]);
    });

    it('are reloaded up to a watermark, but not with a later edit', async () => {
      const binding = await newTable();
      await write(source(), binding, [...someRows(10)]);
      const watermark = await source().watermark(binding);
      await write(source(), binding, [row('key-0', { Comment: 'edited' }), row('new')]);
      const confirm = (through: number) =>
        source().transaction(binding, (writes) => writes.markReloaded(through));
      expect(await confirm(watermark)).toBe(9);
      expect(await confirm(watermark)).toBe(0);
      expect(await source().counts(binding)).toEqual({ total: 11, reloaded: 9, notReloaded: 2 });
      expect(await keys(binding, { reloaded: false })).toEqual(['key-0', 'new']);
      expect(
        (await linesOf(source().stream(binding, { since: watermark }))).map(({ key }) => key).sort(),
      ).toEqual(['key-0', 'new']);
      expect(await linesOf(source().stream(binding, { reloaded: true }))).toHaveLength(9);
    });
  });

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
      await source().bulkUpsert(binding, someRows(8_000));
      let seen = 0;
      for await (const chunk of source().stream(binding, {})) {
        if (seen === 0)
          await write(source(), binding, [row('late'), row('key-7999', { Comment: 'changed' })]);
        expect(chunk.length).toBeLessThan(300_000);
        expect(chunk).not.toMatch(/"late"|"changed"/);
        seen += chunk.split('\n').length - 1;
      }
      expect(seen).toBe(8_000);
      for (let n = 0; n < 12; n += 1)
        for await (const chunk of source().stream(binding, {})) if (chunk) break;
      expect(await linesOf(source().stream(binding, { q: 'remark 4999' }))).toMatchObject([
        { key: 'key-4999' },
      ]);
    });
  });

  it('refuses invalid names, and tables of the database or the service', async () => {
    for (const table of ['a"b', "a'; DROP TABLE x", 'a b', 'sys_users', 'kaptain_tables', 'x'.repeat(256)])
      await expect(async () => source().ensureTable(aBinding({ table }))).rejects.toThrow(DataSourceError);
    const field = (name: string) => aBinding({ fields: [{ name, type: 'text' }] });
    for (const name of ['a`b', 'k_id', 'K_VERSION', 'a]b', ''])
      await expect(async () => source().ensureTable(field(name))).rejects.toThrow(DataSourceError);
    await setTimeout(0);
  });
}
