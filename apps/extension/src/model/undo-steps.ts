import type { CellValue } from './values.ts';

/** What one edit did to a cell. */
interface UndoStep {
  key: string;
  field: string;
  before: CellValue;
  /** Absent for a text that was refused: the value has not changed. */
  after?: CellValue;
}

const MOST_ACTIONS = 200;

/** The edits that can be taken back, by the actions that made them: a paste is one, however many cells it fills. */
export class UndoSteps {
  readonly #actions: UndoStep[][] = [];
  #open: UndoStep[] | undefined;

  get isEmpty(): boolean {
    return this.#actions.length === 0;
  }

  add(step: UndoStep): void {
    if (this.#open) this.#open.push(step);
    else this.#push([step]);
  }

  /** All steps that are added meanwhile are one action. */
  group(run: () => void): void {
    const steps: UndoStep[] = [];
    this.#open = steps;
    try {
      run();
    } finally {
      this.#open = undefined;
      if (steps.length > 0) this.#push(steps);
    }
  }

  #push(steps: UndoStep[]): void {
    this.#actions.push(steps);
    if (this.#actions.length > MOST_ACTIONS) this.#actions.shift();
  }

  /** The steps of the last action, the last one first. */
  pop(): UndoStep[] {
    return (this.#actions.pop() ?? []).toReversed();
  }
}
