import { parseBlock } from '../model/paste.ts';
import { type CellValue, parseCell } from '../model/values.ts';
import type { Column } from './columns.ts';
import { type Extent, moved, type Place } from './grid-keys.ts';
import type { GridView } from './grid-view.ts';

export interface Edit {
  key: string;
  field: string;
  value: CellValue;
}

/** What input does to a table. */
export interface GridActions {
  readonly view: GridView;
  readonly extent: Extent;
  readonly active: Place;
  columnAt(column: number): Column | undefined;
  keyAt(row: number): string;
  valueAt(row: number, field: string): unknown;
  isEditable(place: Place): boolean;
  activate(place: Place): void;
  /** Opens the editor of the active cell, with a typed character instead of its value. */
  open(typed?: string): void;
  enter(edits: readonly Edit[], message?: string): void;
  undo(): void;
  /** The person has scrolled, or the table itself. */
  scrolled(): void;
}

/** The cells of a table that a block reaches. */
type Target = Pick<GridActions, 'columnAt' | 'keyAt' | 'isEditable'>;

/** The edits of a block whose first cell is at this place; cells that can't be edited, or have an invalid value, are counted. */
export function editsOf(table: Target, block: readonly string[][], { row, column }: Place) {
  const edits: Edit[] = [];
  let refused = 0;
  for (const [down, cells] of block.entries())
    for (const [right, text] of cells.entries()) {
      const place = { row: row + down, column: column + right };
      const target = table.columnAt(place.column);
      const parsed = target?.kind === 'field' ? parseCell(target.field.type, text) : undefined;
      if (target?.kind === 'field' && parsed && 'value' in parsed && table.isEditable(place))
        edits.push({ key: table.keyAt(place.row), field: target.field.name, value: parsed.value });
      else refused += 1;
    }
  return { edits, refused };
}

function toggle(table: GridActions): boolean {
  const column = table.columnAt(table.active.column);
  if (column?.kind !== 'field' || column.field.type !== 'boolean' || !table.isEditable(table.active))
    return false;
  const { name: field } = column.field;
  const value = table.valueAt(table.active.row, field) !== true;
  table.enter([{ key: table.keyAt(table.active.row), field, value }]);
  return true;
}

function clear(table: GridActions): void {
  const column = table.columnAt(table.active.column);
  if (column?.kind !== 'field' || !table.isEditable(table.active)) return;
  table.enter([{ key: table.keyAt(table.active.row), field: column.field.name, value: null }]);
}

/** What a key does in the grid; whether it did anything. */
function press(table: GridActions, event: KeyboardEvent): boolean {
  const isCommand = event.ctrlKey || event.metaKey;
  const to = moved(table.active, { key: event.key, ctrlKey: isCommand }, table.extent);
  if (to) table.activate(to);
  else if (event.key === 'Enter' || event.key === 'F2') table.open();
  else if (event.key === 'Delete' || event.key === 'Backspace') clear(table);
  else if (isCommand && event.key.toLowerCase() === 'z') table.undo();
  else if (event.key === ' ' && toggle(table)) return true;
  else if (event.key.length === 1 && !isCommand && !event.altKey) table.open(event.key);
  else return false;
  return true;
}

/** Turns keys, clicks, scrolling and pasting into actions of the table. */
export function listenTo(table: GridActions): void {
  const { grid } = table.view;
  grid.addEventListener('scroll', () => table.scrolled(), { passive: true });
  grid.addEventListener('keydown', (event) => {
    if (!press(table, event)) return;
    event.preventDefault();
    // The platform has keys of its own for the sheet.
    event.stopPropagation();
  });
  grid.addEventListener('click', (event) => {
    const place = table.view.placeOf(event.target);
    if (!place || (event.target as HTMLElement).classList.contains('editor')) return;
    grid.focus();
    table.activate(place);
  });
  grid.addEventListener('dblclick', () => table.open());
  const paste = (event: ClipboardEvent) => {
    // A grid that was removed with its focus has got no blur.
    if (!grid.isConnected) return document.removeEventListener('paste', paste, true);
    event.preventDefault();
    event.stopPropagation();
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const { edits, refused } = editsOf(table, parseBlock(text), table.active);
    const message = `Cells of the block that do not fit and were left out: ${refused}.`;
    table.enter(edits, refused > 0 ? message : '');
  };
  // On the document, because browsers send this event to the text selection, not to a focus that has no text.
  grid.addEventListener('focus', () => document.addEventListener('paste', paste, true));
  grid.addEventListener('blur', () => document.removeEventListener('paste', paste, true));
}
