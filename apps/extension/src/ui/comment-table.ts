import { shownName } from '@kaptain/contract/field-rules';
import { isThread } from '@kaptain/contract/fields';
import { ownValue } from '@kaptain/contract/own-value';
import type { OpenEditor } from '../model/open-editor.ts';
import { rowWindow, scrollHeight, scrollTopFor, type View } from '../model/row-window.ts';
import type { SheetField } from '../model/sheet-fields.ts';
import { texts } from '../texts/texts.ts';
import { ThreadPanel } from '../thread/thread-panel.ts';
import { CellCard } from './cell-card.ts';
import { openEditor } from './cell-editor.ts';
import { cellStory } from './cell-story.ts';
import { decideConflict } from './decide-conflict.ts';
import { element } from './element.ts';
import { type CellPosition, movedAfterEdit } from './grid-keys.ts';
import { type GridActions, listenTo } from './grid-listeners.ts';
import { GridView } from './grid-view.ts';
import { jumpToCell } from './jump-to-cell.ts';
import { RowLoader } from './row-loader.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';
import { StatusBar } from './status-bar.ts';
import { ROW_HEIGHT } from './styles.ts';
import { TableCells, type TableInput } from './table-cells.ts';
import { TableEdits } from './table-edits.ts';
import { tellLocked } from './tell-locked.ts';

/** The table on the sheet: it shows what is visible, and turns input into edits. */
export class CommentTable implements GridActions {
  readonly root = element('div', { class: 'table' });
  readonly view = new GridView();
  readonly cells: TableCells;
  readonly edits: TableEdits;
  readonly #card = new CellCard({
    view: this.view,
    describe: (position) => this.#describe(position),
    mayHover: () => !this.#input.isPassive,
  });
  readonly #loader: RowLoader;
  readonly #bar: StatusBar;
  readonly #panel = new ThreadPanel({
    workspace: () => this.#input.workspace,
    isReadOnly: () => this.#input.isReadOnly,
    closed: () => this.view.grid.focus(),
  });
  #editor: OpenEditor | undefined;
  /** What came while an editor was open: rows do not move under it. */
  #next: TableInput | undefined;
  #active: CellPosition = { row: 0, column: 0 };
  /** The scroll position that is known. */
  #top = 0;
  #isRendering = false;
  #stopListening: () => void = () => undefined;

  constructor(input: TableInput) {
    this.cells = new TableCells(input);
    this.edits = new TableEdits(this.cells, (message) => this.#bar.tell(message));
    this.#loader = new RowLoader(
      () => ({
        ...this.#input,
        window: rowWindow(this.#viewport),
        keyAt: (row) => this.cells.keyAt(row),
        keyBeside: this.#panel.address?.key,
      }),
      () => this.render(),
    );
    this.#bar = new StatusBar({
      signIn: this.#signIn,
      undo: () => this.edits.undo(),
      jump: (cell) => void jumpToCell(this, cell).then((message) => this.#tell(message)),
      save: () => {
        this.#input.workspace.queue.release();
        this.#input.workspace.save();
      },
      retry: () => {
        this.#input.workspace.queue.retry();
        this.#input.workspace.save();
      },
    });
    this.root.append(this.#bar.root, this.view.grid, this.#card.root, this.#panel.root);
    listenTo(this);
    this.#useInput(input);
  }

  readonly #signIn = () => void this.#input.workspace.signIn().then(() => this.#loader.load());

  get #input(): TableInput {
    return this.cells.input;
  }

  #useInput(input: TableInput): void {
    this.#stopListening();
    this.cells.take(input);
    input.workspace.reloadAfterSave = input.setup.reload;
    this.#setColumns();
    this.#stopListening = input.workspace.listen(() => {
      if (!this.#editor) this.#setColumns();
      this.render();
      if (this.#loader.isStale) void this.#loader.load();
    });
  }

  #setColumns(): void {
    if (this.cells.readColumns()) this.view.setColumns(this.cells.columns);
  }

  /** Shows another hypercube or set-up; the active cell stays, if it still exists. */
  update(input: TableInput): void {
    if (this.#editor && !input.isReadOnly) {
      this.#next = input;
      return;
    }
    this.#next = undefined;
    this.#editor?.enter();
    this.#useInput(input);
    this.#loader.forget();
    this.activate(this.#active, false);
    this.refresh();
  }

  end(): void {
    this.#next = undefined;
    this.#editor?.enter();
    this.#stopListening();
    this.#card.hide();
    this.#panel.end();
    this.root.remove();
  }

  get extent() {
    const page = Math.max(1, Math.floor(this.#viewport.height / ROW_HEIGHT) - 1);
    return { rows: this.#input.pages.total, columns: this.cells.columns.length, page };
  }

  get active(): CellPosition {
    return this.#active;
  }

  get #viewport(): View {
    const { scrollTop, clientHeight } = this.view.grid;
    const height = Math.max(0, clientHeight - this.view.headHeight);
    return { scrollTop, height, rowHeight: ROW_HEIGHT, rows: this.#input.pages.total };
  }

  activate({ row, column }: CellPosition, isScrolled = true): void {
    const { rows, columns } = this.extent;
    this.#active = {
      row: Math.max(0, Math.min(row, rows - 1)),
      column: Math.max(0, Math.min(column, columns - 1)),
    };
    this.#bar.retract(texts().notEditable, texts().noKey);
    if (isScrolled) {
      this.view.grid.scrollTop = scrollTopFor(this.#active.row, this.#viewport);
      this.#top = this.view.grid.scrollTop;
    }
    this.render();
    if (isScrolled) {
      this.view.showColumn(this.#active.column);
      this.#card.showSoon(this.#active);
    }
    void this.#loader.load();
  }

  async #describe({ row, column: index }: CellPosition): Promise<readonly Node[]> {
    const [column, key] = [this.cells.columnAt(index), this.cells.keyAt(row)];
    const text = this.view
      .cutText({ row, column: index })
      .map((cut) => element('p', { class: 'value' }, cut));
    if (column?.kind !== 'field' || key === '') return text;
    return [...text, ...(await cellStory(this.#input.workspace, key, column.field))];
  }

  hideCard(): boolean {
    return this.#card.hide();
  }

  /** Rows are used again for others while scrolling, so an open editor is closed when the person scrolls. */
  scrolled(): void {
    const { grid } = this.view;
    if (grid.scrollTop !== this.#top) {
      this.view.closeEditor();
      this.#card.hide();
    }
    this.#top = grid.scrollTop;
    this.scheduleRefresh();
  }

  /** Renders now and fetches what is missing. */
  refresh(): void {
    this.render();
    void this.#loader.load();
  }

  /** Renders once per frame after the person has scrolled or the object has another size. */
  scheduleRefresh(): void {
    if (this.#isRendering) return;
    this.#isRendering = true;
    requestAnimationFrame(() => {
      this.#isRendering = false;
      this.render({ isScroll: true });
      void this.#loader.load();
    });
  }

  render({ isScroll = false } = {}): void {
    const view = this.#viewport;
    this.view.render({
      rows: view.rows,
      window: rowWindow(view),
      height: scrollHeight(view) + this.view.headHeight,
      active: this.#active,
      isScroll,
      cellAt: (row, column) => this.cells.shown(row, column),
    });
    const { workspace, isReadOnly, setup } = this.#input;
    this.#panel.render();
    this.#bar.show(workspace, { isReadOnly, hasSave: setup.saving === 'button' });
  }

  /** What is on the screen, for a snapshot. */
  snapshot(): Snapshot {
    const window = rowWindow(this.#viewport);
    return takeSnapshot(this.cells.columns, window, (row, column) => this.cells.shown(row, column));
  }

  /** Opens the editor of the active cell, the thread in it, or the conflict that it is in. */
  open(typed?: string): void {
    const position = this.#active;
    const column = this.cells.columnAt(position.column);
    const key = this.cells.keyAt(position.row);
    if (column?.kind === 'field' && isThread(column.field.type)) {
      this.#card.hide();
      if (key !== '')
        this.#panel.open({ key, field: column.field.name }, this.cells.isRowLocked(position.row), typed);
      return;
    }
    if (column?.kind !== 'field' || !this.cells.isEditable(position))
      return tellLocked(this, position, { tell: (reason) => this.#tell(reason), signIn: this.#signIn });
    const { workspace } = this.#input;
    if (workspace.queue.stateOf(key, column.field.name) !== 'conflict')
      return this.#edit(position, column.field, typed);
    const { fields } = this.cells;
    const decided = () => this.view.grid.focus();
    decideConflict({ parent: this.root, cell: this.view.cell(position), workspace, fields, key, decided });
  }

  #tell(message: string): void {
    this.#bar.tell(message);
    this.render();
  }

  #edit(position: CellPosition, field: SheetField, typed: string | undefined): void {
    const cell = this.view.cell(position);
    if (!cell) return;
    this.#card.hide();
    const key = this.cells.keyAt(position.row);
    const { workspace } = this.#input;
    const { known, editors } = workspace;
    const seen = ownValue(known.get(key)?.data ?? {}, field.name);
    const editor = openEditor(cell, {
      label: shownName(field),
      field,
      text: this.cells.textAt(position.row, field),
      row: this.cells.rowValues(position.row, field),
      offer: (text) => workspace.offered(field.name, text),
      ...(typed !== undefined && { typed }),
      ended: (entered, pressed) => {
        editors.delete(editor);
        this.#editor = undefined;
        this.edits.enter(entered ? [{ key, field: field.name, seen, ...entered }] : []);
        if (pressed) this.view.grid.focus();
        if (pressed && pressed.key !== 'Escape')
          this.activate(movedAfterEdit(position, pressed, this.extent));
        this.#takeNext();
      },
    });
    this.#editor = editor;
    editors.add(editor);
  }

  #takeNext(): void {
    const next = this.#next;
    this.#next = undefined;
    if (next) this.update(next);
  }

  /** The text of the active cell, as it can be pasted again. */
  copyText(): string {
    const { row, column: index } = this.#active;
    const column = this.cells.columnAt(index);
    return column?.kind === 'field' && !isThread(column.field.type)
      ? this.cells.textAt(row, column.field)
      : (this.view.cell(this.#active)?.textContent ?? '');
  }
}
