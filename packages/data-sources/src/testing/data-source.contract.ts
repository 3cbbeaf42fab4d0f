import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Binding, DataSource } from '../data-source.ts';
import { DataSourceError } from '../errors.ts';
import { decisionsContract } from './decisions.contract.ts';
import { readsContract } from './reads.contract.ts';
import { aBinding, addTable, everything, keysOf, linesOf, row, someRows, write } from './samples.ts';
import { upsertsContract } from './upserts.contract.ts';

/** The contract suite that every data source must pass. */
export function dataSourceContract(source: () => DataSource): void {
  const newTable = (change?: Partial<Binding>) => addTable(source(), change);
  const refusal = (category: string, words: RegExp) =>
    expect.objectContaining({ name: 'DataSourceError', category, message: expect.stringMatching(words) });
  const keys = (binding: Binding, query?: object) => keysOf(source(), binding, query);

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
      const failure = await write(source(), binding, [row('ok'), row('k', data)]).catch(
        (error: unknown) => error,
      );
      expect(failure).toEqual(refusal('value', words));
      const [[field, value] = []] = Object.entries(data);
      const refused = field === 'Nowhere' ? undefined : { key: 'k', field, value };
      expect(failure).toMatchObject({ refused });
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

  upsertsContract(source);
  decisionsContract(source);

  describe('the states of a row', () => {
    it('are in its history, newest first, through deletion and restoring', async () => {
      const binding = await newTable();
      await write(source(), binding, [row('A', { Amount: 1 })]);
      const [stored] = await write(source(), binding, [{ ...row('A', { Amount: 2 }), user: 'Bob' }]);
      const id = stored?.id ?? '';
      const change = (work: 'removeMany' | 'restoreMany', by: string) =>
        source().transaction(binding, (writes) => writes[work]([id, id, 'f'.repeat(24)], by));
      expect(await change('removeMany', 'Cid')).toEqual([id]);
      expect(await change('removeMany', 'Cid')).toEqual([]);
      expect(await keys(binding)).toEqual([]);
      expect(await source().page(binding, { ...everything, deleted: true, q: 'A' })).toMatchObject({
        rows: [{ id, deletedBy: 'Cid', reloaded: false }],
        total: 1,
      });
      expect(await linesOf(source().stream(binding, { deleted: true, q: 'a' }))).toMatchObject([
        { key: 'A' },
      ]);
      expect(await linesOf(source().stream(binding, { deleted: true, q: 'absent' }))).toEqual([]);
      expect(await change('restoreMany', 'Dan')).toEqual([id]);
      expect(await change('restoreMany', 'Dan')).toEqual([]);
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

  describe('a reader that follows the changes', () => {
    it('is told of rows that were marked as deleted, once and as they are now', async () => {
      const binding = await newTable();
      const idsOf = async (...names: string[]) =>
        (
          await write(
            source(),
            binding,
            names.map((name) => row(name)),
          )
        ).map(({ id }) => id);
      const [a = '', b = ''] = await idsOf('a', 'b', 'c');
      const since = await source().watermark(binding);
      const [d = ''] = await idsOf('d');
      const follow = async (after: number) => {
        const lines = await linesOf(source().stream(binding, { since: after, deletions: true }));
        return lines.map((line) => line as unknown as Record<string, unknown>);
      };
      await source().transaction(binding, (writes) => writes.removeMany([a, b, d], 'Bob'));
      const deleted = await source().watermark(binding);
      const time = expect.stringMatching(/Z$/);
      const told = await follow(since);
      expect(told).toHaveLength(3);
      expect(told).toContainEqual({ _id: a, key: 'a', deleted: true, deletedAt: time });
      expect(await source().deletedSince(binding, since)).toBe(3);
      expect(await linesOf(source().stream(binding, { since }))).toEqual([]);
      await write(source(), binding, [row('a', { Comment: 'again' })]);
      await source().transaction(binding, (writes) => writes.restoreMany([b], 'Bob'));
      expect((await follow(since)).map(({ key, deleted: isDeleted }) => [key, isDeleted])).toEqual([
        ['d', true],
        ['a', undefined],
        ['b', undefined],
      ]);
      expect((await follow(deleted)).map(({ key }) => key)).toEqual(['a', 'b']);
      expect(await source().deletedSince(binding, deleted)).toBe(0);
      expect(await follow(await source().watermark(binding))).toEqual([]);
    });
  });

  readsContract(source);

  it('refuses invalid names, and tables of the database or the service', async () => {
    for (const table of ['a"b', "a'; DROP TABLE x", 'a b', 'sys_users', 'kaptain_tables', 'x'.repeat(256)])
      await expect(async () => source().ensureTable(aBinding({ table }))).rejects.toThrow(DataSourceError);
    const field = (name: string) => aBinding({ fields: [{ name, type: 'text' }] });
    for (const name of ['a`b', 'k_id', 'K_VERSION', 'a]b', ''])
      await expect(async () => source().ensureTable(field(name))).rejects.toThrow(DataSourceError);
    await setTimeout(0);
  });
}
