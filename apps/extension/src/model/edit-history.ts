import type { InvalidValue } from './invalid-values.ts';
import type { CellValue } from './values.ts';

/** What a cell has: its value, and a text over it that is none. */
export interface CellContent {
  value: CellValue;
  invalid: InvalidValue | undefined;
}

/** What one edit did to a cell. */
interface EditStep {
  key: string;
  field: string;
  before: CellContent;
  after: CellContent;
}

/** Turns one cell; whether it could. */
type Turn = (step: EditStep) => boolean;

/** Several of the longest pastes. The last action can be taken back, however many cells it has filled. */
const MOST_STEPS = 500_000;

/** The edits that can be taken back or done again, by the actions that made them: a paste is one, however many cells it fills. */
export class EditHistory {
  readonly #done: EditStep[][] = [];
  #undone: EditStep[][] = [];
  #open: EditStep[] | undefined;
  #steps = 0;

  get canUndo(): boolean {
    return this.#done.length > 0;
  }

  get canRedo(): boolean {
    return this.#undone.length > 0;
  }

  add(step: EditStep): void {
    this.#undone = [];
    if (this.#open) this.#open.push(step);
    else this.#push([step]);
  }

  /** All steps that are added meanwhile are one action. */
  group(run: () => void): void {
    const steps: EditStep[] = [];
    this.#open = steps;
    try {
      run();
    } finally {
      this.#open = undefined;
      this.#push(steps);
    }
  }

  #push(steps: EditStep[]): void {
    if (steps.length === 0) return;
    this.#done.push(steps);
    this.#steps += steps.length;
    while (this.#steps > MOST_STEPS && this.#done.length > 1) this.#steps -= this.#done.shift()?.length ?? 0;
  }

  /** Takes the last action back, its last step first. Returns how many cells could not be turned; they are not done again. */
  undo(turn: Turn): number {
    const steps = this.#done.pop() ?? [];
    this.#steps -= steps.length;
    const turned = steps.toReversed().filter(turn);
    if (turned.length > 0) this.#undone.push(turned.toReversed());
    return steps.length - turned.length;
  }

  /** Does the last action again that was taken back. Returns how many cells could not be turned. */
  redo(turn: Turn): number {
    const steps = this.#undone.pop() ?? [];
    const turned = steps.filter(turn);
    this.#push(turned);
    return steps.length - turned.length;
  }
}
