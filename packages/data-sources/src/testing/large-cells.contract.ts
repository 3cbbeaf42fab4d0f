import { limits } from '@kaptain/contract/limits';
import { describe, expect, it } from 'vitest';
import type { Binding, DataSource } from '../data-source.ts';
import { everything, linesOf, row, write } from './samples.ts';

const MiB = 1024 * 1024;
/** Several times what one answer may have. */
const LARGE = 3 * MiB;
/** More than two answers may have. */
const ROWS = 8;

/** Other programs write cells of any length into their tables: the bytes of one answer stay limited. */
export function largeCellsContract(source: () => DataSource, sql: (text: string) => Promise<unknown>): void {
  const notes: Binding = { table: 'large_notes', keyField: 'id', fields: [{ name: 'note', type: 'text' }] };

  describe('large cells', () => {
    it('are left out of a page with their length, and none of its rows is lost', async () => {
      const types = source().type === 'mysql' ? 'longtext' : 'text';
      await sql(`CREATE TABLE large_notes (id integer PRIMARY KEY, note ${types})`);
      for (let id = 1; id <= ROWS; id++)
        await sql(`INSERT INTO large_notes VALUES (${id}, repeat('x', ${id === 5 ? LARGE : 300_000}))`);
      await source().ensureTable(notes);
      const keys: string[] = [];
      for (let isCut = true; isCut; ) {
        const page = await source().page(notes, { ...everything, offset: keys.length });
        isCut = page.isCut;
        expect(page.rows.length).toBeGreaterThan(0);
        expect(JSON.stringify(page.rows).length).toBeLessThanOrEqual(limits.pageBytes + 10_000);
        for (const { key, data, dataBytes } of page.rows)
          expect([key, ((data['note'] as string | undefined) ?? '').length, dataBytes]).toEqual(
            key === '5' ? ['5', 0, LARGE] : [key, 300_000, undefined],
          );
        keys.push(...page.rows.map(({ key }) => key));
      }
      expect(keys).toEqual(Array.from({ length: ROWS }, (_, n) => String(n + 1)));
    });

    it('are left out of a look-up with their length', async () => {
      const found = await source().lookup(notes, ['5', '1', '99']);
      expect(found.map((record) => record && [record.key, record.dataBytes])).toEqual([
        ['5', LARGE],
        ['1', undefined],
        null,
      ]);
    });

    it('are whole in a stream, whose chunks do not gather them', async () => {
      const chunks: string[] = [];
      for await (const chunk of source().stream(notes, {})) chunks.push(chunk);
      expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(LARGE + MiB / 2);
      const lines = await linesOf(
        (async function* () {
          yield* chunks;
        })(),
      );
      expect(
        lines
          .map(({ data }) => String(data['note']).length)
          .toSorted((a, b) => a - b)
          .at(-1),
      ).toBe(LARGE);
    });

    it('are left out of the history too, which is told in parts', async () => {
      const { rows } = await source().page(notes, { ...everything, limit: 1, offset: 4 });
      const id = rows[0]?.id ?? '';
      expect(await source().get(notes, id)).toMatchObject({ key: '5', data: {}, dataBytes: LARGE });
      await write(source(), notes, [row('5', { note: 'second' })]);
      for (const letter of 'abcd') await write(source(), notes, [row('5', { note: letter.repeat(300_000) })]);
      const told: [number, number | undefined][] = [];
      for (let before: number | undefined; before !== 1; before = told.at(-1)?.[0]) {
        const states = await source().history(notes, id, before);
        expect(states.length).toBeGreaterThan(0);
        expect(JSON.stringify(states).length).toBeLessThanOrEqual(limits.pageBytes + 10_000);
        told.push(
          ...states.map(({ version, dataBytes }): [number, number | undefined] => [version, dataBytes]),
        );
      }
      expect(told.map(([version]) => version)).toEqual([6, 5, 4, 3, 2, 1]);
      expect(told.slice(0, -1).every(([, dataBytes]) => dataBytes === undefined)).toBe(true);
      expect(told.at(-1)?.[1]).toBeGreaterThan(LARGE);
    });
  });
}
