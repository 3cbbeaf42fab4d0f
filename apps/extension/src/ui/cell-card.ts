import { element } from './element.ts';
import type { CellPosition } from './grid-keys.ts';
import type { GridView } from './grid-view.ts';
import { moveTo, placeBeside } from './place-beside.ts';

const REST_MS = 800;
/** The pointer may be on its way to a link of the details. */
const LEAVE_MS = 250;
const CARD_ID = 'cell-card';

const isSame = (one: CellPosition | undefined, other: CellPosition) =>
  one?.row === other.row && one.column === other.column;

interface Options {
  view: GridView;
  describe: (position: CellPosition) => Promise<readonly Node[]>;
  /** Whether details are shown for the pointer. */
  mayHover: () => boolean;
}

/**
 * The details of a cell, shown while the pointer or the focus rests on it. They lie beside the cell, clicks go through them,
 * and Escape hides them.
 */
export class CellCard {
  readonly root = element('div', { class: 'card', role: 'tooltip', id: CARD_ID });
  readonly #options: Options;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #leaving: ReturnType<typeof setTimeout> | undefined;
  /** The cell that is described, or will be after a rest. */
  #position: CellPosition | undefined;

  constructor(options: Options) {
    this.#options = options;
    const { view } = options;
    this.root.hidden = true;
    // A move, because a cell also comes under a pointer that rests while the table scrolls.
    view.grid.addEventListener('pointermove', (event) => this.#moved(event));
    view.grid.addEventListener('pointerleave', () => this.#hideSoon());
    this.root.addEventListener('pointerover', () => this.#stay());
    this.root.addEventListener('pointerleave', () => this.#hideSoon());
    this.root.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      this.hide();
      view.grid.focus();
    });
  }

  #moved({ target, pointerType }: PointerEvent): void {
    const { view, mayHover } = this.#options;
    const position = view.positionOf(target);
    if (pointerType === 'touch' || !position || isSame(this.#position, position)) return;
    // A person who works with the keys sees the details of the active cell.
    const isWorking = view.grid.matches(':focus-within');
    if (!this.root.hidden) {
      if (this.root.querySelector('a')) this.#hideSoon();
      else this.hide();
    } else if (!isWorking && mayHover()) this.showSoon(position);
  }

  /** Shows the details after a rest; those of another cell are hidden at once. */
  showSoon(position: CellPosition): void {
    if (isSame(this.#position, position)) return;
    this.hide();
    this.#position = position;
    this.#timer = setTimeout(() => void this.#show(position), REST_MS);
  }

  #hideSoon(): void {
    this.#leaving ??= setTimeout(() => this.hide(), LEAVE_MS);
  }

  #stay(): void {
    clearTimeout(this.#leaving);
    this.#leaving = undefined;
  }

  /** Whether it was shown. */
  hide(): boolean {
    clearTimeout(this.#timer);
    this.#stay();
    const wasShown = !this.root.hidden;
    this.root.hidden = true;
    if (this.#position) this.#options.view.cell(this.#position)?.removeAttribute('aria-describedby');
    this.#position = undefined;
    return wasShown;
  }

  async #show(position: CellPosition): Promise<void> {
    const { view, describe } = this.#options;
    const content = await describe(position);
    const cell = view.cell(position);
    if (!isSame(this.#position, position) || content.length === 0 || !cell || cell.querySelector('.editor'))
      return;
    this.root.replaceChildren(...content);
    this.root.hidden = false;
    cell.setAttribute('aria-describedby', CARD_ID);
    moveTo(this.root, cell, placeBeside);
    // One that is too long for the table can be reached with Tab, and scrolled with the keyboard.
    const isCut = this.root.scrollHeight > this.root.clientHeight;
    if (isCut) this.root.tabIndex = 0;
    else this.root.removeAttribute('tabindex');
  }
}
