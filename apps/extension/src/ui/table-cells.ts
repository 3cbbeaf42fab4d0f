import { isThread } from '@kaptain/contract/fields';
import type { NxCell } from '@nebula.js/stardust';
import type { RowPages } from '../model/row-pages.ts';
import { type SheetField, sheetFields } from '../model/sheet-fields.ts';
import { editText, type RowValues } from '../model/values.ts';
import type { Setup } from '../properties.ts';
import type { Workspace } from '../service/workspace.ts';
import type { BlockTarget } from './block-edits.ts';
import { type Column, fieldColumns, isLocked, keyOf } from './columns.ts';
import type { CellPosition } from './grid-keys.ts';
import type { ShownCell } from './grid-view.ts';
import { isWritten, shownField } from './shown-field.ts';

/** What a table shows: rows of the hypercube, and the fields of a kapsule beside them. */
export interface TableInput {
  workspace: Workspace;
  setup: Setup;
  /** Of the hypercube. */
  columns: readonly Column[];
  pages: RowPages<readonly NxCell[]>;
  /** The index of the key in a row. */
  keyIndex: number;
  /** In a snapshot, in the edit mode of the sheet, or where interaction is off. */
  isReadOnly: boolean;
  /** Nothing is shown for a pointer that rests. */
  isPassive: boolean;
}

/** The cells of a table: those of the hypercube, then those of the kapsule. */
export class TableCells implements BlockTarget {
  #input: TableInput;
  #columns: readonly Column[] = [];
  #fields: readonly SheetField[] = [];

  constructor(input: TableInput) {
    this.#input = input;
  }

  take(input: TableInput): void {
    this.#input = input;
  }

  get input(): TableInput {
    return this.#input;
  }

  get columns(): readonly Column[] {
    return this.#columns;
  }

  get fields(): readonly SheetField[] {
    return this.#fields;
  }

  /** Whether the columns are others now: the fields are as the kapsule has them. */
  readColumns(): boolean {
    const { workspace, setup, columns } = this.#input;
    this.#fields = sheetFields(setup.fields, workspace.fields);
    const namesOf = (wanted: (field: SheetField) => boolean) =>
      this.#fields.filter(wanted).map(({ name }) => name);
    workspace.queue.required = namesOf(({ holdsRow }) => holdsRow);
    workspace.queue.requiredInNew = namesOf(
      (field) => field.required === true && field.default === undefined,
    );
    const all = [...columns, ...fieldColumns(this.#fields)];
    if (JSON.stringify(all) === JSON.stringify(this.#columns)) return false;
    this.#columns = all;
    return true;
  }

  columnAt(column: number): Column | undefined {
    return this.#columns[column];
  }

  keyAt(row: number): string {
    return keyOf(this.#input.pages.row(row), this.#input.keyIndex);
  }

  isLoaded(row: number): boolean {
    return this.#input.pages.row(row) !== undefined;
  }

  load(row: number): Promise<void> {
    return this.#input.pages.ensure(row, row + 1);
  }

  isRowLocked(row: number): boolean {
    return isLocked(this.#input.pages.row(row));
  }

  /**
   * Whether the person may edit this cell now. Its granule may still be looked up: what is typed meanwhile is compared with
   * it as if others had just written it.
   */
  isEditable({ row, column }: CellPosition): boolean {
    const { isReadOnly, workspace } = this.#input;
    const target = this.columnAt(column);
    const key = this.keyAt(row);
    if (isReadOnly || target?.kind !== 'field' || key === '' || this.isRowLocked(row)) return false;
    // Comments are written in the panel of their thread.
    if (isThread(target.field.type) || isWritten(workspace, key, target.field)) return false;
    if (!workspace.mayWrite) return false;
    return workspace.known.get(key) !== undefined || workspace.access.token !== undefined;
  }

  valueAt(row: number, field: string): unknown {
    return this.#input.workspace.queue.valueOf(this.keyAt(row), field);
  }

  rowValues(row: number, { choicesBy }: SheetField): RowValues {
    return new Map(choicesBy ? [[choicesBy.field, this.valueAt(row, choicesBy.field)]] : []);
  }

  /** The text of a cell of the kapsule, as it can be typed again. */
  textAt(row: number, field: SheetField): string {
    const key = this.keyAt(row);
    const { queue } = this.#input.workspace;
    return queue.invalid.get(key, field.name)?.text ?? editText(field, queue.valueOf(key, field.name));
  }

  shown(row: number, column: Column): ShownCell {
    const cells = this.#input.pages.row(row);
    if (column.kind === 'engine') {
      const text = cells?.[column.index]?.qText ?? '';
      return { text, color: '', state: 'saved', isLocked: true, isAwaited: false, isFresh: false };
    }
    const key = this.keyAt(row);
    const { workspace } = this.#input;
    const hasNoKey = cells !== undefined && key === '';
    const isFixed =
      hasNoKey || !workspace.mayWrite || isLocked(cells) || isWritten(workspace, key, column.field);
    const isFresh = workspace.savedCells.isFresh({ key, field: column.field.name }, Date.now());
    return { ...shownField(workspace, key, column.field), isLocked: isFixed, isFresh };
  }
}
