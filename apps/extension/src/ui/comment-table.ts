import { isThread } from '@kaptain/contract/fields';
import { ownValue } from '@kaptain/contract/own-value';
import type { NxCell } from '@nebula.js/stardust';
import type { RowPages } from '../model/row-pages.ts';
import { rowWindow, scrollHeight, scrollTopFor, type View } from '../model/row-window.ts';
import type { Setup } from '../properties.ts';
import type { Workspace } from '../service/workspace.ts';
import { texts } from '../texts/texts.ts';
import { ThreadPanel } from '../thread/thread-panel.ts';
import { CellCard } from './cell-card.ts';
import { openEditor } from './cell-editor.ts';
import { cellStory } from './cell-story.ts';
import { type Column, isLocked, keyOf } from './columns.ts';
import { decideConflict } from './decide-conflict.ts';
import { element } from './element.ts';
import { type CellPosition, movedAfterEdit } from './grid-keys.ts';
import { type Edit, type GridActions, listenTo } from './grid-listeners.ts';
import { GridView, type ShownCell } from './grid-view.ts';
import { RowLoader } from './row-loader.ts';
import { shownField } from './shown-field.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';
import { StatusBar } from './status-bar.ts';
import { ROW_HEIGHT } from './styles.ts';

/** The content of a table: rows of the hypercube, and the fields of a kapsule beside them. */
interface TableInput {
  workspace: Workspace;
  setup: Setup;
  columns: readonly Column[];
  pages: RowPages<readonly NxCell[]>;
  keyDimension: number;
  /** In a snapshot, in the edit mode of the sheet, or where interaction is off. */
  isReadOnly: boolean;
}

/** The table on the sheet: it shows what is visible, and turns input into edits. */
export class CommentTable implements GridActions {
  readonly root = element('div', { class: 'table' });
  readonly view = new GridView();
  readonly #card = new CellCard(this.view, (position) => this.#describe(position));
  readonly #loader: RowLoader;
  readonly #bar: StatusBar;
  readonly #panel = new ThreadPanel({
    workspace: () => this.#input.workspace,
    isReadOnly: () => this.#input.isReadOnly,
    closed: () => this.view.grid.focus(),
  });
  #input: TableInput;
  #active: CellPosition = { row: 0, column: 0 };
  /** The scroll position that is known. */
  #top = 0;
  #isRendering = false;
  #stopListening: () => void = () => undefined;

  constructor(input: TableInput) {
    this.#input = input;
    this.#loader = new RowLoader(
      () => ({
        ...this.#input,
        window: rowWindow(this.#viewport),
        keyAt: (row) => this.keyAt(row),
        keyBeside: this.#panel.address?.key,
      }),
      () => this.render(),
    );
    this.#bar = new StatusBar({
      signIn: () => void this.#input.workspace.signIn().then(() => this.#loader.load()),
      undo: () => this.undo(),
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
    this.view.setColumns(input.columns);
    this.#useInput(input);
  }

  #useInput(input: TableInput): void {
    this.#stopListening();
    this.#input = input;
    const { workspace, setup } = input;
    workspace.queue.required = setup.fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    workspace.reloadAfterSave = setup.reload;
    this.#stopListening = workspace.listen(() => {
      this.render();
      if (this.#loader.isStale) void this.#loader.load();
    });
  }

  /** Shows another hypercube or set-up; the active cell stays, if it still exists. */
  update(input: TableInput): void {
    const hasOtherColumns = JSON.stringify(input.columns) !== JSON.stringify(this.#input.columns);
    this.#useInput(input);
    this.#loader.forget();
    if (hasOtherColumns) this.view.setColumns(input.columns);
    this.activate(this.#active, false);
    this.refresh();
  }

  end(): void {
    this.#stopListening();
    this.#card.hide();
    this.#panel.end();
    this.root.remove();
  }

  get extent() {
    const page = Math.max(1, Math.floor(this.#viewport.height / ROW_HEIGHT) - 1);
    return { rows: this.#input.pages.total, columns: this.#input.columns.length, page };
  }

  get active(): CellPosition {
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
  isEditable({ row, column }: CellPosition): boolean {
    const { isReadOnly, workspace, pages } = this.#input;
    const target = this.columnAt(column);
    if (isReadOnly || target?.kind !== 'field' || isLocked(pages.row(row))) return false;
    // Comments are written in the panel of their thread.
    const isWritable = workspace.mayWrite && !isThread(target.field.type);
    return isWritable && workspace.known.get(this.keyAt(row)) !== undefined;
  }

  activate({ row, column }: CellPosition, isScrolled = true): void {
    const { rows, columns } = this.extent;
    this.#active = {
      row: Math.max(0, Math.min(row, rows - 1)),
      column: Math.max(0, Math.min(column, columns - 1)),
    };
    this.#bar.retract(texts().notEditable);
    if (isScrolled) {
      this.view.grid.scrollTop = scrollTopFor(this.#active.row, this.#viewport);
      this.#top = this.view.grid.scrollTop;
    }
    this.render();
    if (isScrolled) this.#card.showSoon(this.#active);
    void this.#loader.load();
  }

  async #describe({ row, column: index }: CellPosition): Promise<readonly Node[]> {
    const [column, key] = [this.columnAt(index), this.keyAt(row)];
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
      cellAt: (row, column) => this.#shown(row, column),
    });
    const { workspace, isReadOnly, setup } = this.#input;
    this.#panel.render();
    this.#bar.show(workspace, { isReadOnly, hasSave: setup.saving === 'button' });
  }

  /** The rendered rows, for a snapshot. */
  snapshot(): Snapshot {
    const window = rowWindow(this.#viewport);
    return takeSnapshot(this.#input.columns, window, (row, column) => this.#shown(row, column));
  }

  #shown(row: number, column: Column): ShownCell {
    const cells = this.#input.pages.row(row);
    if (column.kind === 'engine')
      return { text: cells?.[column.index]?.qText ?? '', state: 'saved', isLocked: true, isAwaited: false };
    const field = shownField(this.#input.workspace, this.keyAt(row), column.field);
    return { ...field, isLocked: isLocked(cells) || !this.#input.workspace.mayWrite };
  }

  /** Opens the editor of the active cell, or the conflict that it is in. */
  open(typed?: string): void {
    const position = this.#active;
    const column = this.columnAt(position.column);
    const cell = this.view.cell(position);
    const { queue, known } = this.#input.workspace;
    const key = this.keyAt(position.row);
    if (column?.kind === 'field' && isThread(column.field.type)) {
      this.#card.hide();
      const isRowLocked = isLocked(this.#input.pages.row(position.row));
      if (key !== '') this.#panel.open({ key, field: column.field.name }, isRowLocked, typed);
      return;
    }
    if (!cell || column?.kind !== 'field' || !this.isEditable(position)) return this.#tellLocked(position);
    const { field } = column;
    if (queue.stateOf(key, field.name) === 'conflict') {
      const { workspace, setup } = this.#input;
      return decideConflict(this.root, workspace, setup, key, () => this.view.grid.focus());
    }
    this.#card.hide();
    const seen = ownValue(known.get(key)?.data ?? {}, field.name);
    openEditor(cell, {
      label: field.name,
      rule: field,
      value: queue.valueOf(key, field.name),
      ...(typed !== undefined && { typed }),
      ended: (entered, pressed) => {
        this.enter(entered ? [{ key, field: field.name, seen, ...entered }] : []);
        if (pressed) this.view.grid.focus();
        if (pressed && pressed.key !== 'Escape')
          this.activate(movedAfterEdit(position, pressed, this.extent));
      },
    });
  }

  /** Says why typing does nothing. A granule that is being looked up is no reason; the bar names a missing right. */
  #tellLocked({ row, column }: CellPosition): void {
    const isLoading = this.columnAt(column)?.kind === 'field' && !isLocked(this.#input.pages.row(row));
    if (!this.#input.isReadOnly && !isLoading) this.#bar.tell(texts().notEditable);
    this.render();
  }

  /** Enters values into cells, e.g. of a pasted block, and shows a message about them. */
  enter(edits: readonly Edit[], message = ''): void {
    this.#bar.tell(message);
    const { queue } = this.#input.workspace;
    for (const { key, field, ...edit } of edits)
      if ('error' in edit) queue.refuse(key, field, edit.text, edit.error);
      else
        queue.edit(key, field, edit.value, {
          isHeld: this.#isHolding,
          ...('seen' in edit && { seen: edit.seen }),
        });
    this.#input.workspace.save();
  }

  get #isHolding(): boolean {
    return this.#input.setup.saving === 'button';
  }

  valueAt(row: number, field: string): unknown {
    return this.#input.workspace.queue.valueOf(this.keyAt(row), field);
  }

  undo(): void {
    this.#input.workspace.queue.undo({ isHeld: this.#isHolding });
    this.#input.workspace.save();
  }
}
