import { describe, expect, it } from 'vitest';
import type { Binding, DataSource } from '../data-source.ts';
import { everything, row, write } from './samples.ts';

const refused = expect.objectContaining({ name: 'DataSourceError', category: 'value' });
const LARGE = '9007199254740993';
const PRECISE = '12345678901234567.123456789';

const numbers = (...names: string[]) => names.map((name) => ({ name, type: 'number' as const }));

/** The contract suite for values that JavaScript or a column would round; `sql` runs statements as another program. */
export function exactValuesContract(
  source: () => DataSource,
  sql: (text: string) => Promise<unknown[]>,
  types: { timestamp: string; double: string },
): void {
  const bind = async (table: string, columns: string, fields: Binding['fields'], rows = '') => {
    await sql(`CREATE TABLE ${table} (${columns}, note varchar(40))`);
    if (rows !== '') await sql(`INSERT INTO ${table} VALUES ${rows}`);
    const binding: Binding = { table, keyField: 'id', fields: [...fields, { name: 'note', type: 'text' }] };
    await source().ensureTable(binding);
    return binding;
  };
  const find = async (binding: Binding, key: string) => (await source().lookup(binding, [key]))[0];

  describe('a value that would be rounded', () => {
    it('stays as it is in a row of which another column is changed, and is told as a text', async () => {
      const columns = `id varchar(9) PRIMARY KEY, large bigint, exact decimal(38, 18), at ${types.timestamp}`;
      const stored = `'A', ${LARGE}, ${PRECISE}, '2026-01-01 10:00:00.123456', 'old'`;
      const fields = [...numbers('large', 'exact'), { name: 'at', type: 'timestamp' as const }];
      const binding = await bind('exact_rows', columns, fields, `(${stored})`);
      const before = await find(binding, 'A');
      expect(before?.data).toMatchObject({ large: LARGE, at: '2026-01-01T10:00:00.123Z', note: 'old' });
      expect(String(before?.data['exact'])).toMatch(new RegExp(`^${PRECISE}0*$`));
      await write(source(), binding, [row('A', { ...before?.data, note: 'new' })]);
      const kept = await sql(
        `SELECT note FROM exact_rows WHERE large = ${LARGE} AND exact = ${PRECISE} AND at = '2026-01-01 10:00:00.123456'`,
      );
      expect(kept).toEqual([{ note: 'new' }]);
      expect((await source().history(binding, before?.id ?? '')).at(-1)?.data).toEqual(before?.data);

      await write(source(), binding, [
        row('A', { large: '9007199254740995', exact: '0.123456789012345678' }),
      ]);
      const written = await sql(
        `SELECT id FROM exact_rows WHERE large = 9007199254740995 AND exact = 0.123456789012345678`,
      );
      expect(written).toHaveLength(1);
      await expect(write(source(), binding, [row('A', { large: 2 ** 53 })])).rejects.toEqual(refused);
    });

    it('is stored whole, also from a batch, and makes no new version when it is written again', async () => {
      const columns = `id varchar(9) PRIMARY KEY, large bigint, exact decimal(38, 18), n ${types.double}`;
      const binding = await bind('written_again', columns, numbers('large', 'exact', 'n'));
      const values = {
        large: '1234567890123456800',
        exact: '12345678901234567.50',
        n: '0.12345678901234567890',
      };
      for (let times = 0; times < 2; times++) {
        await source().bulkUpsert(binding, [row('A', values), row('B', values)]);
        const [stored] = await write(source(), binding, [row('C', values)]);
        expect(stored?.version).toBe(1);
      }
      const found = { large: '1234567890123456800', exact: '12345678901234567.5', n: 0.12345678901234568 };
      for (const key of ['A', 'B', 'C'])
        expect(await find(binding, key)).toMatchObject({ version: 1, data: found });
      expect(await sql('SELECT id FROM written_again WHERE large = 1234567890123456800')).toHaveLength(3);
    });

    it('is refused when the same call has changed it before, instead of forgotten', async () => {
      const binding = await bind('changed_twice', 'id varchar(9) PRIMARY KEY, large bigint', [
        { name: 'large', type: 'number' },
      ]);
      const twice = (key: string) => [
        row(key, { large: '9007199254740992', note: '1' }),
        row(key, { large: 9007199254740992, note: '2' }),
      ];
      await write(source(), binding, [row('old', { large: 1 })]);
      for (const key of ['old', 'new'])
        await expect(write(source(), binding, twice(key))).rejects.toEqual(refused);
      expect(await find(binding, 'old')).toMatchObject({ version: 1, data: { large: 1 } });
    });

    it('is a number in a column of floating point, which rounds by itself', async () => {
      const binding = await bind('floating', `id varchar(9) PRIMARY KEY, n ${types.double}`, [
        { name: 'n', type: 'number' },
      ]);
      await write(source(), binding, [row('A', { n: 2 ** 53 }), row('B', { n: 0.1 })]);
      expect((await find(binding, 'A'))?.data).toEqual({ n: 2 ** 53 });
      expect((await find(binding, 'B'))?.data).toEqual({ n: 0.1 });
    });

    it.each(['bigint', 'decimal(20, 0)'])('is a key of its own beside the next one: %s', async (type) => {
      const rows = `(${LARGE}, 'odd'), (9007199254740992, 'even')`;
      const table = `large_keys_${type.replaceAll(/\W/g, '')}`;
      const binding = await bind(table, `id ${type} PRIMARY KEY`, [], rows);
      expect((await source().page(binding, everything)).rows.map(({ key }) => key).sort()).toEqual([
        '9007199254740992',
        LARGE,
      ]);
      await write(source(), binding, [row(LARGE, { note: 'changed' })]);
      expect(await sql(`SELECT note FROM ${table} ORDER BY id`)).toEqual([
        { note: 'even' },
        { note: 'changed' },
      ]);
      for (const key of ['+1', '01', '1.0', '0009007199254740995', '9.007199254740995e15'])
        await expect(write(source(), binding, [row(key)])).rejects.toEqual(refused);
    });

    it('is refused as a key that its column would not keep', async () => {
      const binding = await bind('rounded_keys', 'id decimal(10, 2) PRIMARY KEY', []);
      await expect(write(source(), binding, [row('1.239', { note: 'x' })])).rejects.toEqual(refused);
      const many = Array.from({ length: 30 }, (_, n) => row(`${n}.125`));
      await expect(source().bulkUpsert(binding, many)).rejects.toEqual(refused);
      expect(await sql('SELECT * FROM rounded_keys')).toEqual([]);
      await write(source(), binding, [row('1.24', { note: 'x' })]);
      expect(await find(binding, '1.24')).toMatchObject({ key: '1.24' });
    });
  });

  it('the first readers of a bound table all see its rows, also while they are adopted', async () => {
    const binding = await bind('first_readers', 'id varchar(9) PRIMARY KEY', [], `('A', 'x'), ('B', 'x')`);
    const pages = await Promise.all([1, 2, 3].map(() => source().page(binding, everything)));
    expect(pages.map(({ total }) => total)).toEqual([2, 2, 2]);
  });

  it('many rows that differ in different columns are all stored, and what they leave alone stays exact', async () => {
    const names = ['a', 'b', 'c', 'd'] as const;
    const columns = `id varchar(9) PRIMARY KEY, ${names.map((name) => `${name} varchar(9)`).join()}, at ${types.timestamp}`;
    const fields = [
      ...names.map((name) => ({ name, type: 'text' as const })),
      { name: 'at', type: 'timestamp' as const },
    ];
    const at = '2026-01-01 10:00:00.123456';
    const stored = Array.from({ length: 16 }, (_, n) => `('k${n}', 'x', 'x', 'x', 'x', '${at}', 'old')`);
    const binding = await bind('many_patterns', columns, fields, stored.join());
    const [first] = (await source().page(binding, everything)).rows;
    const changed = Array.from({ length: 16 }, (_, n) => {
      const values = names.map((name, index) => [name, (n >> index) % 2 === 1 ? 'y' : 'x']);
      return row(`k${n}`, { ...first?.data, ...Object.fromEntries(values), note: 'new' });
    });
    await write(source(), binding, changed);
    expect(await sql(`SELECT id FROM many_patterns WHERE note = 'new' AND at = '${at}'`)).toHaveLength(16);
    for (const { key, data } of changed) expect((await find(binding, key))?.data).toEqual(data);
  });

  it('all conflicts are told, also of keys that differ in case alone', async () => {
    const binding = await bind('told_conflicts', 'id varchar(9) PRIMARY KEY', []);
    const stale = ['a', 'A', 'b'].map((key) => row(key, {}, 7));
    await expect(write(source(), binding, stale)).rejects.toMatchObject({ count: 3 });
  });

  it('a row without a key is no granule, and no reason for a new change', async () => {
    const binding = await bind('without_keys', 'id varchar(9) UNIQUE', [], `('A', 'x')`);
    await source().counts(binding);
    const before = await source().watermark(binding);
    await sql(`INSERT INTO without_keys (id) VALUES (NULL)`);
    await source().ensureTable(binding);
    expect(await source().counts(binding)).toMatchObject({ total: 1 });
    expect(await source().watermark(binding)).toBe(before);
  });
}
