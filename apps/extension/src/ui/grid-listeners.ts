import { parseBlock, quotedCell } from '../model/paste.ts';
import { definitionOf } from '../model/values.ts';
import { editsOf } from './block-edits.ts';
import { type CellPosition, type Extent, moved } from './grid-keys.ts';
import type { GridView } from './grid-view.ts';
import { HeldKeys } from './held-keys.ts';
import type { TableCells } from './table-cells.ts';
import type { TableEdits } from './table-edits.ts';

/** What input does to a table. */
export interface GridActions {
  readonly view: GridView;
  readonly cells: TableCells;
  readonly edits: TableEdits;
  readonly extent: Extent;
  readonly active: CellPosition;
  activate(position: CellPosition): void;
  /** Opens the editor of the active cell, with a typed character instead of its value. */
  open(typed?: string): void;
  /** The text of the active cell, as it can be pasted again. */
  copyText(): string;
  /** Hides what is shown beside a cell; whether there was something. */
  hideCard(): boolean;
  /** The person has scrolled, or the table itself. */
  scrolled(): void;
}

function toggle(table: GridActions): boolean {
  const column = table.cells.columnAt(table.active.column);
  if (
    column?.kind !== 'field' ||
    definitionOf(column.field.type).enteredAs !== 'answer' ||
    !table.cells.isEditable(table.active)
  )
    return false;
  const { name: field } = column.field;
  const value = table.cells.valueAt(table.active.row, field) !== true;
  table.edits.enter([{ key: table.cells.keyAt(table.active.row), field, value }]);
  return true;
}

/** As if a blank text were pasted: a required field refuses it. */
function clear(table: GridActions): void {
  const { edits } = editsOf(table.cells, [['']], table.active);
  if (edits.length > 0) table.edits.enter(edits);
}

/** The keys of both habits: Ctrl+Y, and Ctrl+Shift+Z. */
const isRedo = ({ key, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'y' || (shiftKey && key.toLowerCase() === 'z');

/** What a key does in the grid; whether it did anything. */
function press(table: GridActions, event: KeyboardEvent): boolean {
  const isCommand = event.ctrlKey || event.metaKey;
  const to = moved(table.active, { key: event.key, ctrlKey: isCommand }, table.extent);
  if (to) table.activate(to);
  else if (event.key === 'Escape') return table.hideCard();
  else if (event.key === 'Enter' || event.key === 'F2') table.open();
  else if (event.key === 'Delete' || event.key === 'Backspace') clear(table);
  else if (isCommand && isRedo(event)) table.edits.redo();
  else if (isCommand && event.key.toLowerCase() === 'z') table.edits.undo();
  else if (event.key === ' ' && toggle(table)) return true;
  else if (event.key.length === 1 && !isCommand && !event.altKey) table.open(event.key);
  else return false;
  return true;
}

/** Turns keys, clicks, scrolling and pasting into actions of the table. */
export function listenTo(table: GridActions): void {
  const { grid } = table.view;
  grid.addEventListener('scroll', () => table.scrolled(), { passive: true });
  const held = new HeldKeys({
    grid,
    active: () => table.active,
    isLoaded: (row) => table.cells.isLoaded(row),
    load: (row) => table.cells.load(row),
  });
  grid.addEventListener('keydown', (event) => {
    if (!held.takes(event) && !press(table, event)) return;
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
    void table.edits.paste(parseBlock(text), table.active);
  };
  const copy = (event: ClipboardEvent) => {
    if (!grid.isConnected) return document.removeEventListener('copy', copy, true);
    // A text that the person has marked, e.g. in the card of a cell, is copied instead.
    if (getSelection()?.toString()) return;
    event.preventDefault();
    event.stopPropagation();
    event.clipboardData?.setData('text/plain', quotedCell(table.copyText()));
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
