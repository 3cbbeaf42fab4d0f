import type { SheetField } from '../model/sheet-fields.ts';
import { type CellValue, type RowValues, readCell } from '../model/values.ts';
import type { Column } from './columns.ts';
import type { CellPosition } from './grid-keys.ts';

/** What is entered into a cell: a value, or a text that is none of its field. */
export type Edit = { key: string; field: string; seen?: unknown } & (
  | { value: CellValue }
  | { text: string; error: string }
);

/** The cells of a table that a block reaches. */
export interface BlockTarget {
  columnAt(column: number): Column | undefined;
  keyAt(row: number): string;
  isEditable(position: CellPosition): boolean;
  /** The values of a row on which the choices of this field depend. */
  rowValues(row: number, field: SheetField): RowValues;
}

/** The edits of one line of a block; choices that depend on another field see the value that the line brings for it. */
function lineEdits(
  key: string,
  cells: readonly [SheetField, string][],
  stored: (field: SheetField) => RowValues,
) {
  const brought = new Map<string, unknown>();
  const read = (field: SheetField, text: string, row: RowValues) => {
    const found = readCell(field, text, row);
    if ('value' in found) brought.set(field.name, found.value);
    return found;
  };
  for (const [field, text] of cells) if (!field.choicesBy) read(field, text, new Map());
  return cells.map(([field, text]): Edit => {
    const found = read(field, text, new Map([...stored(field), ...brought]));
    const cell = { key, field: field.name };
    return 'value' in found ? { ...cell, ...found } : { ...cell, text, error: found.error };
  });
}

/** The edits of a block whose first cell is at this position; cells that can't be edited are counted. */
export function editsOf(
  table: BlockTarget,
  block: readonly (readonly string[])[],
  { row, column }: CellPosition,
) {
  const edits: Edit[] = [];
  let leftOut = 0;
  for (const [down, texts] of block.entries()) {
    const cells: [SheetField, string][] = [];
    for (const [right, text] of texts.entries()) {
      const position = { row: row + down, column: column + right };
      const target = table.columnAt(position.column);
      if (target?.kind === 'field' && table.isEditable(position)) cells.push([target.field, text]);
      else leftOut += 1;
    }
    edits.push(...lineEdits(table.keyAt(row + down), cells, (field) => table.rowValues(row + down, field)));
  }
  return { edits, leftOut };
}
