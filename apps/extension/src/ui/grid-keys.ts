export interface CellPosition {
  row: number;
  column: number;
}

export interface Extent {
  rows: number;
  columns: number;
  /** Rows that a page key moves by. */
  page: number;
}

interface Pressed {
  key: string;
  ctrlKey: boolean;
  shiftKey?: boolean;
}

const within = (value: number, count: number): number => Math.max(0, Math.min(value, count - 1));

/** Where a key moves the active cell to (grid pattern of ARIA); undefined when it is no key that moves. */
export function moved(
  { row, column }: CellPosition,
  pressed: Pressed,
  extent: Extent,
): CellPosition | undefined {
  const to = (r: number, c: number): CellPosition => ({
    row: within(r, extent.rows),
    column: within(c, extent.columns),
  });
  const { key, ctrlKey } = pressed;
  switch (key) {
    case 'ArrowUp':
      return to(ctrlKey ? 0 : row - 1, column);
    case 'ArrowDown':
      return to(ctrlKey ? extent.rows - 1 : row + 1, column);
    case 'ArrowLeft':
      return to(row, ctrlKey ? 0 : column - 1);
    case 'ArrowRight':
      return to(row, ctrlKey ? extent.columns - 1 : column + 1);
    case 'Home':
      return to(ctrlKey ? 0 : row, 0);
    case 'End':
      return to(ctrlKey ? extent.rows - 1 : row, extent.columns - 1);
    case 'PageUp':
      return to(row - extent.page, column);
    case 'PageDown':
      return to(row + extent.page, column);
    default:
      return undefined;
  }
}

/** After an edit: Enter goes down, Tab right, both backwards with Shift. */
export function movedAfterEdit(
  position: CellPosition,
  { key, shiftKey = false }: Pressed,
  extent: Extent,
): CellPosition {
  const arrow = key === 'Tab' ? (shiftKey ? 'ArrowLeft' : 'ArrowRight') : shiftKey ? 'ArrowUp' : 'ArrowDown';
  return moved(position, { key: arrow, ctrlKey: false }, extent) ?? position;
}
