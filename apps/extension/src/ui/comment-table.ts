import type { NxCell } from '@nebula.js/stardust';
import type { RowPages } from '../model/row-pages.ts';
import { rowWindow, scrollHeight, scrollTopFor, type View } from '../model/row-window.ts';
import { showCell } from '../model/values.ts';
import type { Workspace } from '../service/workspace.ts';
import { openEditor } from './cell-editor.ts';
import { type Column, keyOf } from './columns.ts';
import { openConflict } from './conflict-dialog.ts';
import { element } from './element.ts';
import { movedAfterEdit, type Place } from './grid-keys.ts';
import { type Edit, type GridActions, listenTo } from './grid-listeners.ts';
import { GridView, type ShownCell } from './grid-view.ts';
import { StatusBar } from './status-bar.ts';
import { ROW_HEIGHT } from './styles.ts';

/** What a table shows: rows of the hypercube, and the fields of a kapsule beside them. */
export interface TableInput {
  workspace: Workspace;
  columns: readonly Column[];
  pages: RowPages<readonly NxCell[]>;
  keyDimension: number;
  /** In a snapshot, in the edit mode of the sheet, or where interaction is off. */
  isReadOnly: boolean;
}

/** The table on the sheet: it fetches what is visible, shows it, and turns input into edits. */
export class CommentTable implements GridActions {
  readonly root = element('div', { class: 'table' });
  readonly view = new GridView();
  readonly #bar: StatusBar;
  #input: TableInput;
  #active: Place = { row: 0, column: 0 };
  /** Keys that were looked up since the hypercube has changed. */
  #lookedUp = new Set<string>();
  /** The scroll position that is known. */
  #top = 0;
  #isLoading = false;
  #isRendering = false;
  #stopListening: () => void;

  constructor(input: TableInput) {
    this.#input = input;
    this.#bar = new StatusBar({
      signIn: () => void this.#input.workspace.signIn().then(() => this.#load()),
      undo: () => this.undo(),
      retry: () => {
        this.#input.workspace.queue.retry();
        this.#input.workspace.save();
      },
    });
    this.root.append(this.#bar.root, this.view.grid);
    this.#stopListening = input.workspace.listen(() => this.render());
    listenTo(this);
    this.view.setColumns(input.columns);
  }

  /** Shows another hypercube or set-up; the place of the person in the table stays, as far as it exists. */
  update(input: TableInput): void {
    this.#stopListening();
    this.#stopListening = input.workspace.listen(() => this.render());
    const hasOtherColumns = JSON.stringify(input.columns) !== JSON.stringify(this.#input.columns);
    this.#input = input;
    this.#lookedUp = new Set();
    if (hasOtherColumns) this.view.setColumns(input.columns);
    this.activate(this.#active, false);
    this.refresh();
  }

  end(): void {
    this.#stopListening();
    this.root.remove();
  }

  get extent() {
    const page = Math.max(1, Math.floor(this.#viewport.height / ROW_HEIGHT) - 1);
    return { rows: this.#input.pages.total, columns: this.#input.columns.length, page };
  }

  get active(): Place {
    return this.#active;
  }

  get #viewport(): View {
    const { scrollTop, clientHeight } = this.view.grid;
    const height = Math.max(0, clientHeight - this.view.headHeight);
    return { scrollTop, height, rowHeight: ROW_HEIGHT, rows: this.#input.pages.total };
  }

  columnAt(column: number): Column | undefined {
    return this.#input.columns[column];
  }

  keyAt(row: number): string {
    return keyOf(this.#input.pages.row(row), this.#input.keyDimension);
  }

  /** Whether the person may edit this cell now: its granule must be known, so that nothing is overwritten unseen. */
  isEditable({ row, column }: Place): boolean {
    const { isReadOnly, workspace } = this.#input;
    const isField = this.columnAt(column)?.kind === 'field';
    return !isReadOnly && isField && workspace.known.get(this.keyAt(row)) !== undefined;
  }

  activate({ row, column }: Place, isScrolled = true): void {
    const { rows, columns } = this.extent;
    this.#active = {
      row: Math.max(0, Math.min(row, rows - 1)),
      column: Math.max(0, Math.min(column, columns - 1)),
    };
    if (isScrolled) {
      this.view.grid.scrollTop = scrollTopFor(this.#active.row, this.#viewport);
      this.#top = this.view.grid.scrollTop;
    }
    this.render();
    void this.#load();
  }

  /** Rows are used again for others while scrolling, so an open editor is closed when the person scrolls. */
  scrolled(): void {
    const { grid } = this.view;
    if (grid.scrollTop !== this.#top) grid.querySelector<HTMLElement>('.editor')?.blur();
    this.#top = grid.scrollTop;
    this.scheduleRefresh();
  }

  /** Renders now and fetches what is missing. */
  refresh(): void {
    this.render();
    void this.#load();
  }

  /** Renders once per frame, however often it is asked for. */
  scheduleRefresh(): void {
    if (this.#isRendering) return;
    this.#isRendering = true;
    requestAnimationFrame(() => {
      this.#isRendering = false;
      this.refresh();
    });
  }

  render(): void {
    const view = this.#viewport;
    this.view.render({
      rows: view.rows,
      window: rowWindow(view),
      height: scrollHeight(view) + this.view.headHeight,
      active: this.#active,
      cellAt: (row, column) => this.#shown(row, column),
    });
    this.#bar.show(this.#input.workspace, this.#input.isReadOnly);
  }

  #shown(row: number, column: Column): ShownCell {
    const cells = this.#input.pages.row(row);
    if (column.kind === 'engine')
      return { text: cells?.[column.place]?.qText ?? '', state: 'saved', title: '' };
    const { queue, known } = this.#input.workspace;
    const [key, { name, type }] = [this.keyAt(row), column.field];
    const { user = '', updatedAt = '' } = known.get(key) ?? {};
    const state = queue.stateOf(key, name);
    const written = user === '' ? '' : [user, updatedAt.slice(0, 16).replace('T', ' ')].join(' ');
    const title = state === 'failed' ? queue.messageOf(key) : written;
    return { text: showCell(type, queue.valueOf(key, name)), state, title };
  }

  /** Fetches the visible rows, then their granules in one call; one at a time, always for the present window. */
  async #load(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      while (await this.#loadSome());
    } finally {
      this.#isLoading = false;
    }
  }

  async #loadSome(): Promise<boolean> {
    const { pages, workspace } = this.#input;
    const { first, end } = rowWindow(this.#viewport);
    const rows = Array.from({ length: end - first }, (_, n) => first + n);
    if (rows.some((row) => pages.row(row) === undefined)) {
      await pages.ensure(first, end);
      if (pages !== this.#input.pages) return true;
      this.render();
    }
    if (workspace.access.token === undefined) return false;
    const keys = [...new Set(rows.map((row) => this.keyAt(row)))];
    const missing = keys.filter((key) => key !== '' && !this.#lookedUp.has(key));
    if (missing.length === 0) return false;
    for (const key of missing) this.#lookedUp.add(key);
    if (await workspace.lookUp(missing)) return true;
    for (const key of missing) this.#lookedUp.delete(key);
    return false;
  }

  /** Opens the editor of the active cell, or the conflict that it is in. */
  open(typed?: string): void {
    const place = this.#active;
    const column = this.columnAt(place.column);
    const cell = this.view.cell(place);
    if (!cell || column?.kind !== 'field' || !this.isEditable(place)) return;
    const { queue } = this.#input.workspace;
    const key = this.keyAt(place.row);
    const { name, type } = column.field;
    if (queue.stateOf(key, name) === 'conflict') return this.#decide(key);
    openEditor(cell, {
      label: name,
      type,
      value: queue.valueOf(key, name),
      ...(typed !== undefined && { typed }),
      ended: (value, pressed) => {
        this.enter(value === undefined ? [] : [{ key, field: name, value }]);
        if (pressed) this.view.grid.focus();
        if (pressed && value !== undefined) this.activate(movedAfterEdit(place, pressed, this.extent));
      },
    });
  }

  #decide(key: string): void {
    const { workspace } = this.#input;
    const end = () => {
      workspace.save();
      this.view.grid.focus();
    };
    openConflict(this.root, workspace.queue.conflictsOf(key), {
      keepMine: () => {
        workspace.queue.keepMine(key);
        end();
      },
      takeTheirs: () => {
        workspace.queue.takeTheirs(key);
        end();
      },
      closed: end,
    });
  }

  /** Enters values into cells, e.g. of a pasted block, sends them together, and shows a message about them. */
  enter(edits: readonly Edit[], message = ''): void {
    this.#bar.tell(message);
    for (const { key, field, value } of edits) this.#input.workspace.queue.edit(key, field, value);
    this.#input.workspace.save();
  }

  valueAt(row: number, field: string): unknown {
    return this.#input.workspace.queue.valueOf(this.keyAt(row), field);
  }

  undo(): void {
    this.#input.workspace.queue.undo();
    this.#input.workspace.save();
  }
}
