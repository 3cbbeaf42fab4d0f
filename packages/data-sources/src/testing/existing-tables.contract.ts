import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Binding, DataSource } from '../data-source.ts';
import { everything, row, write } from './samples.ts';

/** The contract suite for tables of other programs; `sql` runs statements as another program. */
export function existingTablesContract(
  source: () => DataSource,
  sql: (text: string) => Promise<unknown>,
  types: { generated: string; bytes: string; timestamp: string },
): void {
  const stock: Binding = {
    table: 'Stock',
    keyField: 'Id',
    fields: [
      { name: 'name', type: 'text' },
      { name: 'Price', type: 'number' },
      { name: 'small', type: 'number' },
      { name: 'total', type: 'number' },
      { name: 'picture', type: 'text' },
      { name: 'made', type: 'date' },
      { name: 'sold', type: 'timestamp' },
    ],
  };
  const page = async () => (await source().page(stock, everything)).rows;
  const refusal = (category: string) => expect.objectContaining({ name: 'DataSourceError', category });

  describe('existing tables', () => {
    it('are bound by the names of their columns, with every row they hold', async () => {
      await sql(`CREATE TABLE stock (id integer PRIMARY KEY, name varchar(10), price decimal(6, 2), small smallint,
        total decimal(8, 2) ${types.generated}, picture ${types.bytes}, made date, sold ${types.timestamp}, unbound varchar(20) NOT NULL DEFAULT 'mine')`);
      await sql(`INSERT INTO stock (id, name, price, small, picture, made, sold) VALUES
        (1, 'Chair', 12.50, 3, 'A', '2026-01-31', '2026-01-31 10:00:00'), (20, 'Täble', NULL, NULL, NULL, NULL, NULL)`);
      expect(await source().ensureTable(stock)).toEqual({ isNew: false });
      const info = await source().describe('STOCK');
      expect(info).toMatchObject({ name: 'stock', madeByUs: false });
      const told = new Map(
        info?.columns.map(({ name, fieldType, isReadOnly }) => [name, [fieldType, isReadOnly]]),
      );
      expect([told.get('price'), told.get('total'), told.get('picture'), told.get('made')]).toEqual([
        ['number', false],
        ['number', true],
        [undefined, false],
        ['date', false],
      ]);
      expect(await source().columnOf(stock, 'Price')).toEqual({ table: 'stock', column: 'price' });
      const rows = await page();
      expect(rows.map(({ key, version, user }) => [key, version, user])).toEqual([
        ['1', 1, ''],
        ['20', 1, ''],
      ]);
      expect(rows[0]?.data).toMatchObject({
        name: 'Chair',
        Price: 12.5,
        small: 3,
        total: 25,
        made: '2026-01-31',
        sold: '2026-01-31T10:00:00.000Z',
      });
      expect(rows[0]?.data['picture']).toMatch(/41/);
      expect(rows[1]?.data).toEqual({ name: 'Täble' });
      const found = await source().lookup(stock, ['20', 'twenty', '1', '020', '3']);
      expect(found.map((record) => record?.data['name'] ?? null)).toEqual([
        'Täble',
        null,
        'Chair',
        null,
        null,
      ]);
      expect(await source().counts(stock)).toMatchObject({ total: 2, notReloaded: 2 });
    });

    it('are written only in writable, bound columns: never a generated, unsupported or unbound one', async () => {
      const [before] = await page();
      await write(source(), stock, [
        row('1', { name: 'Stool', Price: 5, total: 99, picture: 'zz' }),
        row('3', { Price: 1 }),
      ]);
      const [after, added] = await page();
      expect(after).toMatchObject({
        version: 2,
        id: before?.id,
        data: { name: 'Stool', Price: 5, total: 10 },
      });
      expect(after?.data['picture']).toBe(before?.data['picture']);
      expect(added).toMatchObject({ key: '3', data: { Price: 1, total: 2 } });
      expect(JSON.stringify(await sql('SELECT unbound FROM stock ORDER BY id'))).toMatch(/mine.*mine.*mine/);
      expect((await source().history(stock, before?.id ?? '')).map(({ data }) => data['Price'])).toEqual([
        5, 12.5,
      ]);
    });

    it.each([
      [row('1', { name: 'longer than ten' }), 'tooLong'],
      [row('1', { small: 99_999 }), 'overflow'],
      [row('1', { Price: 123_456.5 }), 'overflow'],
      [row('1', { small: 1.5 }), 'value'],
      [row('01'), 'value'],
      [row('abc'), 'value'],
    ])(
      'refuse values that their columns refuse, and store nothing of the batch: %j',
      async (bad, category) => {
        await expect(write(source(), stock, [row('77'), bad])).rejects.toEqual(refusal(category));
        expect((await page()).map(({ key }) => key)).toEqual(['1', '3', '20']);
      },
    );

    it('show rows that other programs add, and are dropped only when that is confirmed', async () => {
      await sql(`INSERT INTO stock (id, name) VALUES (99, 'late')`);
      await source().ensureTable(stock);
      expect((await page()).at(-1)).toMatchObject({ key: '99', version: 1, data: { name: 'late' } });
      await expect(source().dropTable('stock', false)).rejects.toEqual(refusal('foreign'));
      await source().dropTable('stock', true);
      expect(await source().describe('stock')).toBeUndefined();
    });

    it('bind no further existing column, and are unchanged after a refusal', async () => {
      await sql('CREATE TABLE staff (id integer PRIMARY KEY, name varchar(20), salary integer)');
      const staff = (...fields: string[]): Binding => ({
        table: 'staff',
        keyField: 'id',
        fields: fields.map((name) => ({ name, type: 'text' })),
      });
      await source().ensureTable(staff('name'));
      expect(await source().isMadeByUs(staff('name'))).toBe(false);
      const columns = async () => (await source().describe('staff'))?.columns.map(({ name }) => name);
      for (const field of ['salary', 'SALARY', 'brand_new'])
        await expect(source().extendTable(staff('name', field), ['name'])).rejects.toEqual(
          refusal('foreign'),
        );
      await expect(source().createTable(staff('salary'))).rejects.toEqual(refusal('exists'));
      expect(await columns()).toEqual(['id', 'name', 'salary']);
    });

    it('never count as made by us, whatever was tried under their name before', async () => {
      const binding: Binding = {
        table: 'seen_by_all',
        keyField: 'id',
        fields: [{ name: 'name', type: 'text' }],
      };
      await sql('CREATE VIEW seen_by_all AS SELECT id, name FROM staff');
      await expect(source().createTable(binding)).rejects.toEqual(refusal('exists'));
      await expect(source().ensureTable(binding)).rejects.toEqual(refusal('exists'));
      await sql('DROP VIEW seen_by_all');
      await sql('CREATE TABLE seen_by_all (id integer PRIMARY KEY, name varchar(20))');
      await expect(source().dropTable('seen_by_all', false)).rejects.toEqual(refusal('binding'));
      await source().ensureTable(binding);
      expect(await source().describe('seen_by_all')).toMatchObject({ madeByUs: false });
      await expect(source().dropTable('seen_by_all', false)).rejects.toEqual(refusal('foreign'));
    });

    it('do not count as made by us when they replaced a table that we made', async () => {
      const binding: Binding = {
        table: 'replaced',
        keyField: 'id',
        fields: [{ name: 'note', type: 'text' }],
      };
      await source().createTable(binding);
      await sql('DROP TABLE replaced');
      await sql('CREATE TABLE replaced (id integer PRIMARY KEY, note varchar(20), salary integer)');
      expect(await source().describe('replaced')).toMatchObject({ madeByUs: false });
      expect(await source().isMadeByUs(binding)).toBe(false);
      await expect(source().dropTable('replaced', false)).rejects.toEqual(refusal('foreign'));
      await source().ensureTable(binding);
      expect(await source().isMadeByUs(binding)).toBe(false);
      await expect(source().dropTable('replaced', false)).rejects.toEqual(refusal('foreign'));
    });

    it('are not dropped while other tables refer to them, which is reported', async () => {
      const binding: Binding = { table: 'parent', keyField: 'id', fields: [{ name: 'note', type: 'text' }] };
      await sql('CREATE TABLE parent (id integer PRIMARY KEY, note varchar(20))');
      await sql('CREATE TABLE child (id integer, FOREIGN KEY (id) REFERENCES parent (id))');
      await source().ensureTable(binding);
      await expect(source().dropTable('parent', true)).rejects.toEqual(refusal('inUse'));
      expect((await source().page(binding, everything)).rows).toEqual([]);
    });

    it('need a unique key without NULL, which is checked and then enforced', async () => {
      await sql('CREATE TABLE loose (code varchar(20), note varchar(20))');
      await sql(`INSERT INTO loose (code, note) VALUES ('a', '1'), ('a', '2')`);
      const loose: Binding = { table: 'loose', keyField: 'code', fields: [{ name: 'note', type: 'text' }] };
      await expect(source().ensureTable(loose)).rejects.toThrow(
        /code of the table loose can not be the key: 1 of its values/,
      );
      await expect(source().ensureTable({ ...loose, keyField: 'nothing' })).rejects.toThrow(
        /has no column nothing/,
      );
      await sql(`DELETE FROM loose WHERE note = '2'`);
      await source().ensureTable(loose);
      expect((await source().page(loose, everything)).rows).toMatchObject([
        { key: 'a', data: { note: '1' } },
      ]);
      await expect(sql(`INSERT INTO loose (code) VALUES ('a')`)).rejects.toThrow(/uniq|Duplicate/);
    });

    it('treat a row that other programs delete and insert again as new, without the old history', async () => {
      const loose: Binding = { table: 'loose', keyField: 'code', fields: [{ name: 'note', type: 'text' }] };
      const [first] = await write(source(), loose, [row('a', { note: 'ours' })]);
      expect(await source().history(loose, first?.id ?? '')).toHaveLength(2);
      await sql(`DELETE FROM loose WHERE code = 'a'`);
      await sql(`INSERT INTO loose (code, note) VALUES ('a', 'again')`);
      const [second] = await write(source(), loose, [row('a', { note: 'ours again' })]);
      expect(await source().history(loose, second?.id ?? '')).toMatchObject([
        { data: { note: 'ours again' } },
        { data: { note: 'again' } },
      ]);
    });

    it('keep the ids that an earlier version of this service gave them', async () => {
      const loose: Binding = { table: 'loose', keyField: 'code', fields: [{ name: 'note', type: 'text' }] };
      const id = createHash('md5').update('old').digest('hex');
      await sql(`INSERT INTO loose (code, note, k_id, k_user, k_version, k_change, k_created_at, k_updated_at)
        VALUES ('old', 'kept', '${id}', '', 1, 1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`);
      await write(source(), loose, [row('old', { note: 'new' })]);
      expect((await source().history(loose, id)).map(({ version, data }) => [version, data])).toEqual([
        [2, { note: 'new' }],
        [1, { note: 'kept' }],
      ]);
      await sql(`DELETE FROM loose WHERE code = 'old'`);
    });

    it('keep a row that another program inserts during a write as the earlier state of the written row', async () => {
      const loose: Binding = { table: 'loose', keyField: 'code', fields: [{ name: 'note', type: 'text' }] };
      await source().transaction(loose, async (writes) => {
        await writes.upsert([row('b')]);
        await sql(`INSERT INTO loose (code, note) VALUES ('c', 'theirs')`);
        await writes.upsert([row('c', { note: 'ours' })]);
      });
      const written = (await source().page(loose, everything)).rows.at(-1);
      expect(written).toMatchObject({ key: 'c', version: 2, user: 'Ann', data: { note: 'ours' } });
      expect(await source().history(loose, written?.id ?? '')).toMatchObject([
        { data: { note: 'ours' } },
        { data: { note: 'theirs' } },
      ]);
    });
  });
}
