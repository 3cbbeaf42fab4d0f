import type { CellState } from '../model/edit-queue.ts';
import type { RowWindow } from '../model/row-window.ts';
import type { Column } from './columns.ts';
import { element } from './element.ts';
import type { Place } from './grid-keys.ts';

/** A cell as it is shown. */
export interface ShownCell {
  text: string;
  state: CellState;
  /** Who wrote it and when, or why it failed. */
  title: string;
}

export interface Shown {
  rows: number;
  window: RowWindow;
  height: number;
  active: Place;
  cellAt: (row: number, column: Column) => ShownCell;
}

const ACTIVE_ID = 'active-cell';

/** The grid's elements: one row element per visible row, used again while scrolling. */
export class GridView {
  readonly grid = element('div', {
    class: 'grid',
    role: 'grid',
    tabindex: '0',
    'aria-label': 'Comments',
    'aria-activedescendant': ACTIVE_ID,
  });
  readonly #head = element('div', { class: 'head', role: 'rowgroup' });
  readonly #space = element('div', { class: 'space', 'aria-hidden': 'true' });
  readonly #body = element('div', { class: 'body', role: 'rowgroup' });
  #columns: readonly Column[] = [];
  #first = 0;

  constructor() {
    this.grid.append(this.#head, this.#space, this.#body);
  }

  setColumns(columns: readonly Column[]): void {
    this.#columns = columns;
    const labels = columns.map(({ label }, place) =>
      element('div', { class: 'cell', role: 'columnheader', 'aria-colindex': String(place + 1) }, label),
    );
    this.#head.replaceChildren(
      element('div', { class: 'row', role: 'row', 'aria-rowindex': '1' }, ...labels),
    );
    this.#body.replaceChildren();
    this.grid.setAttribute('aria-colcount', String(columns.length));
    this.grid.style.setProperty('--count', String(columns.length));
  }

  get headHeight(): number {
    return this.#head.offsetHeight;
  }

  cell({ row, column }: Place): HTMLElement | undefined {
    return this.#body.children[row - this.#first]?.children[column] as HTMLElement | undefined;
  }

  /** The place of an element inside a cell. */
  placeOf(target: EventTarget | null): Place | undefined {
    const cell = target instanceof Element ? target.closest<HTMLElement>('[role=gridcell]') : null;
    const row = cell?.parentElement;
    if (!cell || !row || row.parentElement !== this.#body) return undefined;
    return {
      row: this.#first + [...this.#body.children].indexOf(row),
      column: [...row.children].indexOf(cell),
    };
  }

  render({ rows, window, height, active, cellAt }: Shown): void {
    this.#first = window.first;
    this.grid.setAttribute('aria-rowcount', String(rows + 1));
    this.#space.style.setProperty('--height', `${height}px`);
    this.#body.style.setProperty('--top', `${window.top}px`);
    const count = window.end - window.first;
    while (this.#body.children.length > count) this.#body.lastElementChild?.remove();
    while (this.#body.children.length < count) this.#body.append(this.#newRow());
    for (const [offset, line] of [...this.#body.children].entries()) {
      const row = window.first + offset;
      line.setAttribute('aria-rowindex', String(row + 2));
      for (const [place, column] of this.#columns.entries()) {
        const cell = line.children[place] as HTMLElement;
        showIn(cell, cellAt(row, column), column.label);
        const isActive = active.row === row && active.column === place;
        cell.classList.toggle('active', isActive);
        if (isActive) cell.id = ACTIVE_ID;
        else cell.removeAttribute('id');
      }
    }
  }

  #newRow(): HTMLElement {
    const cells = this.#columns.map((column, place) => {
      const isNumber = column.kind === 'engine' ? column.isMeasure : column.field.type === 'number';
      const look = [column.kind === 'field' ? 'field' : '', isNumber ? 'number' : ''].join(' ');
      return element('div', {
        class: `cell ${look}`,
        role: 'gridcell',
        'aria-colindex': String(place + 1),
        ...(column.kind === 'engine' && { 'aria-readonly': 'true' }),
      });
    });
    return element('div', { class: 'row', role: 'row' }, ...cells);
  }
}

const words: Record<CellState, string> = {
  saved: '',
  waiting: 'not saved yet',
  failed: 'not saved',
  conflict: 'changed by others: press Enter to decide',
};

/** Leaves an open editor in the cell alone. */
function showIn(cell: HTMLElement, { text, state, title }: ShownCell, label: string): void {
  if (cell.querySelector('.editor')) return;
  if (cell.textContent !== text) cell.textContent = text;
  if (cell.dataset['state'] !== state) cell.dataset['state'] = state;
  const told = [words[state], title].filter((part) => part !== '').join('. ');
  if (cell.title !== told) cell.title = told;
  const name = state === 'saved' ? null : `${label}: ${text}, ${words[state]}`;
  if (name === null) cell.removeAttribute('aria-label');
  else cell.setAttribute('aria-label', name);
}
