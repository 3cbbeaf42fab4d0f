import { element } from './element.ts';
import type { CellPosition } from './grid-keys.ts';
import type { GridView } from './grid-view.ts';

const HOVER_MS = 500;
const LEAVE_MS = 250;
const CARD_ID = 'cell-card';

const isSame = (one: CellPosition | undefined, other: CellPosition) =>
  one?.row === other.row && one.column === other.column;

/**
 * The details of a cell, shown beside it while the pointer or the focus rests on it. They stay while the pointer is
 * on it, and Escape hides it.
 */
export class CellCard {
  readonly root = element('div', { class: 'card', role: 'tooltip', id: CARD_ID });
  readonly #view: GridView;
  readonly #describe: (position: CellPosition) => Promise<readonly Node[]>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #position: CellPosition | undefined;

  constructor(view: GridView, describe: (position: CellPosition) => Promise<readonly Node[]>) {
    this.#view = view;
    this.#describe = describe;
    this.root.hidden = true;
    view.grid.addEventListener('pointerover', (event) => {
      const position = view.positionOf(event.target);
      if (event.pointerType !== 'touch' && position) this.showSoon(position);
    });
    view.grid.addEventListener('pointerleave', () => this.#hideSoon());
    this.root.addEventListener('pointerenter', () => clearTimeout(this.#timer));
    this.root.addEventListener('pointerleave', () => this.#hideSoon());
    this.root.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      this.hide();
      view.grid.focus();
    });
  }

  showSoon(position: CellPosition): void {
    clearTimeout(this.#timer);
    if (isSame(this.#position, position)) return;
    this.#timer = setTimeout(() => void this.#show(position), HOVER_MS);
  }

  #hideSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.hide(), LEAVE_MS);
  }

  /** Whether it was shown. */
  hide(): boolean {
    clearTimeout(this.#timer);
    const wasShown = !this.root.hidden;
    this.root.hidden = true;
    if (this.#position) this.#view.cell(this.#position)?.removeAttribute('aria-describedby');
    this.#position = undefined;
    return wasShown;
  }

  async #show(position: CellPosition): Promise<void> {
    this.hide();
    this.#position = position;
    const content = await this.#describe(position);
    const cell = this.#view.cell(position);
    if (!isSame(this.#position, position) || content.length === 0 || !cell || cell.querySelector('.editor'))
      return;
    this.root.replaceChildren(...content);
    this.root.hidden = false;
    cell.setAttribute('aria-describedby', CARD_ID);
    this.#moveTo(cell);
    // One that is too long for the table can be reached with Tab, and scrolled with the keyboard.
    const isCut = this.root.scrollHeight > this.root.clientHeight;
    if (isCut) this.root.tabIndex = 0;
    else this.root.removeAttribute('tabindex');
  }

  /** Below the cell, or above it where there is no room. */
  #moveTo(cell: HTMLElement): void {
    const frame = this.root.parentElement?.getBoundingClientRect();
    if (!frame) return;
    const { left, top, bottom } = cell.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.root;
    const x = Math.max(0, Math.min(left - frame.left, frame.width - width));
    const below = bottom - frame.top;
    const y = below + height <= frame.height ? below : Math.max(0, top - frame.top - height);
    this.root.style.setProperty('--x', `${x}px`);
    this.root.style.setProperty('--y', `${y}px`);
  }
}
