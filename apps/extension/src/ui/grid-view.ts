import type { CellState } from '../model/edited-row.ts';
import type { RowWindow } from '../model/row-window.ts';
import type { SheetField } from '../model/sheet-fields.ts';
import { isFreeText, isNumeric } from '../model/values.ts';
import { texts } from '../texts/texts.ts';
import type { Column } from './columns.ts';
import { element } from './element.ts';
import type { CellPosition } from './grid-keys.ts';
import { ROW_HEIGHT } from './styles.ts';

/** A cell as it is shown. */
export interface ShownCell {
  text: string;
  /** The name of the colour of its value; '' without one. */
  color: string;
  state: CellState;
  /** It can't be edited. */
  isLocked: boolean;
  /** Its granule is being looked up: what it shows is not known yet. */
  isAwaited: boolean;
  /** It was stored just now. */
  isFresh: boolean;
}

export interface Shown {
  rows: number;
  window: RowWindow;
  height: number;
  active: CellPosition;
  /** Nothing but the scroll position has changed: rows that are there already stay as they are. */
  isScroll: boolean;
  cellAt: (row: number, column: Column) => ShownCell;
}

const ACTIVE_ID = 'active-cell';

/** Rows that keep their position in the scrolled area, so that the browser paints only new ones. */
const ROWS_AT_A_PLACE = 1000;

/** Texts get twice the room of other values. */
const isWide = (column: Column): boolean => column.kind === 'field' && isFreeText(column.field.type);
const [NARROW_PX, WIDE_PX] = [100, 160];

/** The grid's elements: one per visible row; those that a scroll takes out of view are used again at the other end. */
export class GridView {
  readonly grid = element('div', {
    class: 'grid',
    role: 'grid',
    tabindex: '0',
    'aria-label': texts().gridLabel,
    'aria-activedescendant': ACTIVE_ID,
  });
  readonly #head = element('div', { class: 'head', role: 'rowgroup' });
  readonly #space = element('div', { class: 'space', 'aria-hidden': 'true' });
  readonly #body = element('div', { class: 'body', role: 'rowgroup' });
  #columns: readonly Column[] = [];
  #first = 0;
  #count = 0;
  /** The first column in which people write was not brought into view yet. */
  #isNew = true;

  constructor() {
    this.grid.append(this.#head, this.#space, this.#body);
  }

  setColumns(columns: readonly Column[]): void {
    this.#columns = columns;
    const labels = columns.map((column, index) => {
      const attributes = {
        class: `cell ${pinned(column)}`,
        role: 'columnheader',
        'aria-colindex': String(index + 1),
      };
      return element(
        'div',
        { ...attributes, ...(column.kind === 'field' && explained(column.field)) },
        column.label,
      );
    });
    this.#head.replaceChildren(
      element('div', { class: 'row', role: 'row', 'aria-rowindex': '1' }, ...labels),
    );
    this.#body.replaceChildren();
    this.#count = 0;
    this.grid.setAttribute('aria-colcount', String(columns.length));
    const least = columns.map((column) => (isWide(column) ? WIDE_PX : NARROW_PX));
    const widths = least.map((px) => `minmax(${px}px, ${px === WIDE_PX ? 2 : 1}fr)`);
    this.grid.style.setProperty('--columns', widths.join(' '));
    this.grid.style.setProperty('--width', `${least.reduce((sum, px) => sum + px, 0)}px`);
    this.#isNew = true;
  }

  /** Scrolls sideways until a column is beside the key, which stays. */
  showColumn(index: number): void {
    const cells = this.#head.firstElementChild?.children ?? [];
    const [cell, key] = [cells[index], [...cells].find((one) => one.matches('.key'))];
    if (!cell || cell === key || this.grid.scrollWidth <= this.grid.clientWidth) return;
    const [column, view] = [cell.getBoundingClientRect(), this.grid.getBoundingClientRect()];
    const taken = key?.getBoundingClientRect();
    const isRightToLeft = getComputedStyle(this.grid).direction === 'rtl';
    const left = isRightToLeft ? view.left : Math.max(view.left, taken?.right ?? view.left);
    const right = isRightToLeft
      ? Math.min(view.right, taken?.left ?? view.right)
      : view.left + this.grid.clientWidth;
    // The beginning of a column that is wider than the room.
    const [before, after] = [left - column.left, column.right - right];
    if (isRightToLeft ? after > 0 : before > 0) this.grid.scrollLeft += isRightToLeft ? after : -before;
    else if (isRightToLeft ? before > 0 : after > 0)
      this.grid.scrollLeft += isRightToLeft ? -Math.min(before, -after) : Math.min(after, -before);
  }

  get headHeight(): number {
    return this.#head.offsetHeight;
  }

  cell({ row, column }: CellPosition): HTMLElement | undefined {
    return this.#body.children[row - this.#first]?.children[column] as HTMLElement | undefined;
  }

  /** The text of a cell that shows only a part of it. */
  cutText(position: CellPosition): string[] {
    const cell = this.cell(position);
    const text = cell?.textContent ?? '';
    return cell && (cell.scrollWidth > cell.clientWidth || text.includes('\n')) ? [text] : [];
  }

  /** Enters what an open editor has, as a click elsewhere does. */
  closeEditor(): void {
    const editor = this.grid.querySelector<HTMLElement>('.editor');
    const focused = editor?.matches(':focus') ? editor : editor?.querySelector<HTMLElement>(':focus');
    focused?.blur();
  }

  /** The position of the cell around an element. */
  positionOf(target: EventTarget | null): CellPosition | undefined {
    const cell = target instanceof Element ? target.closest<HTMLElement>('[role=gridcell]') : null;
    const row = cell?.parentElement;
    if (!cell || !row || row.parentElement !== this.#body) return undefined;
    return {
      row: this.#first + [...this.#body.children].indexOf(row),
      column: [...row.children].indexOf(cell),
    };
  }

  render(shown: Shown): void {
    const { rows, window, height, isScroll } = shown;
    if (this.#isNew && this.grid.clientWidth > 0) {
      this.#isNew = false;
      this.showColumn(this.#columns.findIndex(({ kind }) => kind === 'field'));
    }
    const kept = this.#turnTo(window);
    change(this.grid, 'aria-rowcount', String(rows + 1));
    this.#space.style.height = `${height}px`;
    const base = window.first - (window.first % ROWS_AT_A_PLACE);
    // Not by a custom property, which is inherited and would restyle every cell.
    this.#body.style.transform = `translateY(${window.top - (window.first - base) * ROW_HEIGHT}px)`;
    for (const [offset, line] of [...this.#body.children].entries()) {
      const row = window.first + offset;
      const top = `${(row - base) * ROW_HEIGHT}px`;
      if (line instanceof HTMLElement && line.style.top !== top) line.style.top = top;
      if (!isScroll || row < kept.first || row >= kept.end) this.#showRow(line, row, shown);
    }
  }

  /** Moves row elements that have left the window to its other end. Returns the rows whose elements are kept. */
  #turnTo({ first, end }: RowWindow): { first: number; end: number } {
    const [count, shift] = [end - first, first - this.#first];
    const moved = Math.abs(shift) < this.#count ? Math.abs(shift) : 0;
    for (let n = 0; n < moved; n += 1) {
      const [from, to] = shift > 0 ? (['first', 'append'] as const) : (['last', 'prepend'] as const);
      const line = this.#body[`${from}ElementChild`];
      if (line) this.#body[to](line);
    }
    const kept = { first: Math.max(first, this.#first), end: Math.min(first, this.#first) + this.#count };
    while (this.#body.children.length > count) this.#body.lastElementChild?.remove();
    while (this.#body.children.length < count) this.#body.append(this.#newRow());
    this.#first = first;
    this.#count = count;
    return kept;
  }

  #showRow(line: Element, row: number, { active, cellAt }: Shown): void {
    change(line, 'aria-rowindex', String(row + 2));
    for (const [index, column] of this.#columns.entries()) {
      const cell = line.children[index] as HTMLElement;
      showIn(cell, cellAt(row, column), column.label);
      const isActive = active.row === row && active.column === index;
      cell.classList.toggle('active', isActive);
      change(cell, 'id', isActive ? ACTIVE_ID : null);
    }
  }

  #newRow(): HTMLElement {
    const cells = this.#columns.map((column, index) => {
      const isNumber = column.kind === 'engine' ? column.isMeasure : isNumeric(column.field.type);
      const look = [column.kind === 'field' ? 'field' : pinned(column), isNumber ? 'number' : ''].join(' ');
      return element('div', {
        class: `cell ${look}`,
        role: 'gridcell',
        'aria-colindex': String(index + 1),
      });
    });
    return element('div', { class: 'row', role: 'row' }, ...cells);
  }
}

/** The key stays in view, so that people see on which row they write. */
const pinned = (column: Column): string => (column.kind === 'engine' && column.isKey ? 'key' : '');

/** What a heading says about its field beside the name. */
function explained({ required = false, holdsRow, help = '' }: SheetField): Record<string, string> {
  const isRequired = required || holdsRow;
  const title = [isRequired ? texts().requiredField : '', help].filter((part) => part !== '').join('. ');
  return { ...(isRequired && { 'aria-required': 'true' }), ...(title !== '' && { title }) };
}

function change(cell: Element, name: string, value: string | null): void {
  if (cell.getAttribute(name) === value) return;
  if (value === null) cell.removeAttribute(name);
  else cell.setAttribute(name, value);
}

/** Leaves an open editor in the cell alone. */
function showIn(cell: HTMLElement, shown: ShownCell, label: string): void {
  const { text, color, state, isLocked, isAwaited, isFresh } = shown;
  if (cell.querySelector('.editor')) return;
  if (cell.textContent !== text) cell.textContent = text;
  if (cell.dataset['state'] !== state) cell.dataset['state'] = state;
  change(cell, 'data-fresh', isFresh && state === 'saved' ? '' : null);
  change(cell, 'data-color', color === '' ? null : color);
  change(cell, 'aria-readonly', isLocked ? 'true' : null);
  change(cell, 'aria-busy', isAwaited ? 'true' : null);
  change(cell, 'aria-invalid', state === 'invalid' ? 'true' : null);
  change(cell, 'aria-label', state === 'saved' ? null : `${label}: ${text}, ${texts().states[state]}`);
}
