import { element } from './element.ts';
import type { Place } from './grid-keys.ts';
import type { GridView } from './grid-view.ts';

const HOVER_MS = 500;
const LEAVE_MS = 250;
const CARD_ID = 'cell-card';

const isSame = (one: Place | undefined, other: Place) =>
  one?.row === other.row && one.column === other.column;

/**
 * What is known about a cell, shown beside it while the pointer or the focus rests on it. It stays while the pointer is
 * on it, and Escape hides it.
 */
export class CellCard {
  readonly root = element('div', { class: 'card', role: 'tooltip', id: CARD_ID });
  readonly #view: GridView;
  readonly #describe: (place: Place) => Promise<readonly Node[]>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #place: Place | undefined;

  constructor(view: GridView, describe: (place: Place) => Promise<readonly Node[]>) {
    this.#view = view;
    this.#describe = describe;
    this.root.hidden = true;
    view.grid.addEventListener('pointerover', (event) => {
      const place = view.placeOf(event.target);
      if (event.pointerType !== 'touch' && place) this.showSoon(place);
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

  showSoon(place: Place): void {
    clearTimeout(this.#timer);
    if (isSame(this.#place, place)) return;
    this.#timer = setTimeout(() => void this.#show(place), HOVER_MS);
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
    if (this.#place) this.#view.cell(this.#place)?.removeAttribute('aria-describedby');
    this.#place = undefined;
    return wasShown;
  }

  async #show(place: Place): Promise<void> {
    this.hide();
    this.#place = place;
    const content = await this.#describe(place);
    const cell = this.#view.cell(place);
    if (!isSame(this.#place, place) || content.length === 0 || !cell || cell.querySelector('.editor')) return;
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
