import type { CellState } from '../model/edited-row.ts';
import type { CellName } from '../model/saved-cells.ts';
import type { Workspace } from '../service/workspace.ts';
import { texts } from '../texts/texts.ts';
import { button, element } from './element.ts';

const kinds = ['saved', 'waiting', 'failed', 'conflict', 'invalid'] as const satisfies readonly CellState[];

const timeOf = (at: number): string =>
  new Date(at).toLocaleTimeString(texts().language, { hour: '2-digit', minute: '2-digit' });

/** What is saved and what is not, as long as it is so: each is a button that goes to the next of its cells. */
export class CellCounts {
  readonly root = element('div', { class: 'counts' });
  readonly #jump: (cell: CellName) => void;
  readonly #buttons = new Map<CellState, HTMLButtonElement>();
  #cells: Partial<Record<CellState, readonly CellName[]>> = {};
  /** How often a button was pressed. */
  readonly #pressed = new Map<CellState, number>();

  constructor(jump: (cell: CellName) => void) {
    this.#jump = jump;
    for (const kind of kinds) {
      const made = button('', () => this.#press(kind));
      made.dataset['kind'] = kind;
      this.#buttons.set(kind, made);
      this.root.append(made);
    }
  }

  #press(kind: CellState): void {
    const cells = this.#cells[kind] ?? [];
    const times = this.#pressed.get(kind) ?? 0;
    this.#pressed.set(kind, times + 1);
    const cell = cells[times % Math.max(1, cells.length)];
    if (cell) this.#jump(cell);
  }

  show({ queue, savedCells }: Pick<Workspace, 'queue' | 'savedCells'>): void {
    const { last } = savedCells;
    this.#cells = {
      saved: last ? [last] : [],
      waiting: queue.cellsIn('waiting'),
      failed: queue.cellsIn('failed'),
      conflict: queue.cellsIn('conflict'),
      invalid: queue.cellsIn('invalid'),
    };
    const { saved, ...counted } = texts().counts;
    for (const [kind, made] of this.#buttons) {
      const count = this.#cells[kind]?.length ?? 0;
      const text = kind === 'saved' ? saved(timeOf(last?.at ?? 0)) : counted[kind](count);
      made.hidden = count === 0;
      if (made.textContent !== text) made.textContent = text;
    }
    this.root.hidden = [...this.#buttons.values()].every(({ hidden }) => hidden);
  }
}
