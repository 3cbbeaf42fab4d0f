import { describe, expect, it } from 'vitest';
import type { Binding, DataSource } from '../data-source.ts';
import { aBinding, everything, row, write } from './samples.ts';

/** The contract suite for tables with several bindings. */
export function sharedTablesContract(source: () => DataSource): void {
  const refusal = (category: string) => expect.objectContaining({ name: 'DataSourceError', category });
  const text = (name: string) => ({ name, type: 'text' as const });
  const columnsOf = async ({ table }: Binding) =>
    (await source().describe(table))?.columns.map(({ name }) => name);

  describe('tables of several bindings', () => {
    it('are created once: the second creation is refused, also when both run concurrently', async () => {
      const binding = aBinding({ fields: [text('Comment')] });
      const tries = await Promise.allSettled([1, 2, 3, 4].map(() => source().createTable(binding)));
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const reasons = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      expect(reasons).toEqual([refusal('exists'), refusal('exists'), refusal('exists')]);
      const upper = { ...binding, table: binding.table.toUpperCase() };
      await expect(source().createTable(upper)).rejects.toEqual(refusal('exists'));
      expect(await source().isMadeByUs(binding)).toBe(true);
    });

    it('get columns for new fields, but never bind an existing one', async () => {
      const binding = aBinding({ fields: [text('Comment')] });
      await source().createTable(binding);
      await source().ensureTable({ ...binding, fields: [text('Secret')] });
      const extend = (...names: string[]) =>
        source().extendTable({ ...binding, fields: names.map(text) }, ['Comment']);
      for (const name of ['Secret', 'SECRET', 'secret'])
        await expect(extend('Comment', 'Other', name)).rejects.toEqual(refusal('exists'));
      expect(await columnsOf(binding)).toEqual(['OrderId', 'Comment', 'Secret']);
      await extend('COMMENT', 'Other');
      expect(await columnsOf(binding)).toEqual(['OrderId', 'Comment', 'Secret', 'Other']);
    });

    it('get a column once when several concurrent calls add it', async () => {
      const binding = aBinding({ fields: [text('Comment')] });
      await source().createTable(binding);
      const extended = { ...binding, fields: [text('Comment'), text('Extra')] };
      const tries = await Promise.allSettled(
        [1, 2, 3, 4].map(() => source().extendTable(extended, ['Comment'])),
      );
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await columnsOf(binding)).toEqual(['OrderId', 'Comment', 'Extra']);
    });

    it('show, store, search and report only the fields of the binding', async () => {
      const mine = aBinding({ fields: [text('Comment')] });
      const theirs = { ...mine, fields: [text('Secret'), text('comment')] };
      await source().createTable(mine);
      await source().ensureTable(theirs);
      const [stored] = await write(source(), mine, [row('a', { Comment: 'one' })]);
      const id = stored?.id ?? '';
      await write(source(), theirs, [row('a', { Secret: 'hidden', comment: 'two' })]);
      await write(source(), theirs, [row('a', { Secret: 'hidden too', comment: 'three' })]);
      await source().transaction(theirs, (writes) => writes.removeMany([id], 'Bob'));
      await source().transaction(theirs, (writes) => writes.restoreMany([id], 'Bob'));
      const datas = async (binding: Binding) => (await source().history(binding, id)).map(({ data }) => data);
      expect(await datas(mine)).toEqual([
        { Comment: 'three' },
        { Comment: 'three' },
        { Comment: 'two' },
        { Comment: 'one' },
      ]);
      expect((await datas(theirs)).at(2)).toEqual({ Secret: 'hidden', comment: 'two' });
      expect((await source().page(mine, { ...everything, q: 'hidden' })).total).toBe(0);
      expect((await source().page(theirs, { ...everything, q: 'hidden' })).total).toBe(1);
      const stale = await write(source(), mine, [row('a', { Comment: 'x' }, 1)]).catch((reason) => reason);
      expect(stale.conflicts).toMatchObject([{ storedData: { Comment: 'three' } }]);
      expect(JSON.stringify(stale.conflicts)).not.toContain('hidden');
    });

    it.each(['Größe', 'ÄPFEL', 'Ünïcode', 'ΟΔΟΣ', 'Ёлка', '価格', 'ẞ', 'İstanbul'])(
      'and their columns are found by the name %s',
      async (name) => {
        const base = aBinding();
        const binding = {
          ...base,
          table: `${base.table}_${name}`,
          keyField: `K${name}`,
          fields: [text(name)],
        };
        expect(await source().ensureTable(binding)).toEqual({ isNew: true });
        await write(source(), binding, [row('a', { [name]: 'there' })]);
        expect((await source().page(binding, everything)).rows).toMatchObject([
          { data: { [name]: 'there' } },
        ]);
        expect(await source().describe(binding.table)).toMatchObject({ madeByUs: true });
        await expect(source().createTable(binding)).rejects.toEqual(refusal('exists'));
        await source().dropTable(binding.table, false);
        expect(await source().describe(binding.table)).toBeUndefined();
      },
    );
  });
}
