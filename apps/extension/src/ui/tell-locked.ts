import { texts } from '../texts/texts.ts';
import type { CellPosition } from './grid-keys.ts';
import type { GridView } from './grid-view.ts';
import { openSignInBox } from './sign-in-box.ts';
import type { TableCells } from './table-cells.ts';

/** Why typing into this cell does nothing; '' where the cell is only being read, or the bar says it already. */
function lockedReason(cells: TableCells, { row, column }: CellPosition): string {
  const { isReadOnly, workspace } = cells.input;
  const isField = cells.columnAt(column)?.kind === 'field';
  if (isReadOnly || !workspace.mayWrite || (isField && !cells.isLoaded(row))) return '';
  return isField && cells.keyAt(row) === '' ? texts().noKey : texts().notEditable;
}

/** Whether the person could write into this cell after signing in. */
function needsSignIn(cells: TableCells, { row, column }: CellPosition): boolean {
  const { isReadOnly, workspace } = cells.input;
  const isWritable = cells.columnAt(column)?.kind === 'field' && !cells.isRowLocked(row);
  return !isReadOnly && isWritable && cells.keyAt(row) !== '' && workspace.access.token === undefined;
}

interface Locked {
  root: HTMLElement;
  view: GridView;
  cells: TableCells;
}

/** Answers a person who types into a cell that takes nothing: by the reason, or by a way to sign in. */
export function tellLocked(
  { root, view, cells }: Locked,
  position: CellPosition,
  { tell, signIn }: { tell: (reason: string) => void; signIn: () => void },
): void {
  const cell = view.cell(position);
  const closed = () => view.grid.focus();
  if (needsSignIn(cells, position)) return openSignInBox({ parent: root, cell, signIn, closed });
  const reason = lockedReason(cells, position);
  if (reason !== '') tell(reason);
}
