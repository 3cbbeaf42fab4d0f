import type { CellName } from '../model/saved-cells.ts';
import { texts } from '../texts/texts.ts';
import type { GridActions } from './grid-listeners.ts';
import type { TableCells } from './table-cells.ts';

/** So many rows are read at once. */
const SOME = 1000;

/** The row of a key, also when it was never on the screen; -1 when the hypercube has no such row, or is another one meanwhile. */
async function rowOfKey(cells: TableCells, key: string): Promise<number> {
  const { pages } = cells.input;
  for (let row = 0; row < pages.total; row += 1) if (pages.row(row) && cells.keyAt(row) === key) return row;
  for (let top = 0; top < pages.total; top += SOME) {
    await pages.ensure(top, top + SOME);
    if (cells.input.pages !== pages) return -1;
    for (let row = top; row < top + SOME; row += 1) if (cells.keyAt(row) === key) return row;
  }
  return -1;
}

/** Makes a cell the active one, wherever it is in the table. Why that is not possible; '' when it was. */
export async function jumpToCell(table: GridActions, { key, field }: CellName): Promise<string> {
  const { cells, view } = table;
  const row = await rowOfKey(cells, key).catch(() => -1);
  const column = cells.columns.findIndex((one) => one.kind === 'field' && one.field.name === field);
  if (row < 0 || column < 0) return texts().notShown(key);
  view.grid.focus();
  table.activate({ row, column });
  return '';
}
