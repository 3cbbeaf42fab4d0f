import { parseBlock, quotedCell } from '../model/paste.ts';
import { type CellValue, definitionOf, parseCell } from '../model/values.ts';
import { texts } from '../texts/texts.ts';
import type { Column } from './columns.ts';
import { type CellPosition, type Extent, moved } from './grid-keys.ts';
import type { GridView } from './grid-view.ts';

/** The input of a cell: a value, or a text that is not a value of its type. */
export type Edit = { key: string; field: string; seen?: unknown } & (
  | { value: CellValue }
  | { text: string; error: string }
);

/** The part of a table that input uses. */
export interface GridActions {
  readonly view: GridView;
  readonly extent: Extent;
  readonly active: CellPosition;
  columnAt(column: number): Column | undefined;
  keyAt(row: number): string;
  valueAt(row: number, field: string): unknown;
  isEditable(position: CellPosition): boolean;
  activate(position: CellPosition): void;
  /** Opens the editor of the active cell, with a typed character instead of its value. */
  open(typed?: string): void;
  enter(edits: readonly Edit[], message?: string): void;
  undo(): void;
  /** Hides what is shown beside a cell; whether there was something. */
  hideCard(): boolean;
  /** The person has scrolled, or the table itself. */
  scrolled(): void;
}

/** The cells of a table that a block reaches. */
type Target = Pick<GridActions, 'columnAt' | 'keyAt' | 'isEditable'>;

/** The edits of a block whose first cell is at this position; cells that can't be edited are counted. */
export function editsOf(table: Target, block: readonly string[][], { row, column }: CellPosition) {
  const edits: Edit[] = [];
  let leftOut = 0;
  for (const [down, cells] of block.entries())
    for (const [right, text] of cells.entries()) {
      const position = { row: row + down, column: column + right };
      const target = table.columnAt(position.column);
      if (target?.kind !== 'field' || !table.isEditable(position)) {
        leftOut += 1;
        continue;
      }
      const cell = { key: table.keyAt(position.row), field: target.field.name };
      const parsed = parseCell(target.field, text);
      edits.push({ ...cell, ...('value' in parsed ? parsed : { text, error: parsed.error }) });
    }
  return { edits, leftOut };
}

function toggle(table: GridActions): boolean {
  const column = table.columnAt(table.active.column);
  if (
    column?.kind !== 'field' ||
    definitionOf(column.field.type).enteredAs !== 'answer' ||
    !table.isEditable(table.active)
  )
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

/** Handles a key in the grid; returns whether it did anything. */
function press(table: GridActions, event: KeyboardEvent): boolean {
  const isCommand = event.ctrlKey || event.metaKey;
  const to = moved(table.active, { key: event.key, ctrlKey: isCommand }, table.extent);
  if (to) table.activate(to);
  else if (event.key === 'Escape') return table.hideCard();
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
    const position = table.view.positionOf(event.target);
    if (!position || (event.target as HTMLElement).closest('.editor')) return;
    const isActive = position.row === table.active.row && position.column === table.active.column;
    grid.focus();
    table.activate(position);
    // A finger has no F2: the second tap on a cell edits it.
    if (isActive && event.pointerType === 'touch') table.open();
  });
  grid.addEventListener('dblclick', () => table.open());
  const paste = (event: ClipboardEvent) => {
    // A grid that was removed with its focus has got no blur.
    if (!grid.isConnected) return document.removeEventListener('paste', paste, true);
    event.preventDefault();
    event.stopPropagation();
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const { edits, leftOut } = editsOf(table, parseBlock(text), table.active);
    const invalid = edits.filter((edit) => 'error' in edit).length;
    const messages = [
      leftOut > 0 ? texts().pasteLeftOut(leftOut) : '',
      invalid > 0 ? texts().pasteInvalid(invalid) : '',
    ];
    table.enter(edits, messages.join(' ').trim());
  };
  const copy = (event: ClipboardEvent) => {
    if (!grid.isConnected) return document.removeEventListener('copy', copy, true);
    // A text that the person has marked, e.g. in the card of a cell, is copied instead.
    if (getSelection()?.toString()) return;
    event.preventDefault();
    event.stopPropagation();
    event.clipboardData?.setData('text/plain', quotedCell(table.view.cell(table.active)?.textContent ?? ''));
  };
  // On the document, because browsers send these events to the text selection, not to a focus that has no text.
  grid.addEventListener('focus', () => {
    document.addEventListener('paste', paste, true);
    document.addEventListener('copy', copy, true);
  });
  grid.addEventListener('blur', () => {
    document.removeEventListener('paste', paste, true);
    document.removeEventListener('copy', copy, true);
  });
}
