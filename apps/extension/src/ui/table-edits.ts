import { texts } from '../texts/texts.ts';
import { type Edit, editsOf } from './block-edits.ts';
import type { CellPosition } from './grid-keys.ts';
import type { TableCells } from './table-cells.ts';

/** So many rows are read at once: the pages of the hypercube that are kept are several times as many. */
const ROWS_AT_ONCE = 1000;

/** Enters edits into a table and takes them back: each time one action, and a message about it. */
export class TableEdits {
  readonly #cells: TableCells;
  readonly #tell: (message: string) => void;

  constructor(cells: TableCells, tell: (message: string) => void) {
    this.#cells = cells;
    this.#tell = tell;
  }

  get #isHeld(): boolean {
    return this.#cells.input.setup.saving === 'button';
  }

  /** Enters values into cells, e.g. of a pasted block. */
  enter(edits: readonly Edit[], message = ''): void {
    this.#tell(message);
    const { workspace } = this.#cells.input;
    workspace.queue.act(() => {
      for (const { key, field, ...edit } of edits)
        if ('error' in edit) workspace.queue.refuse(key, field, edit.text, edit.error);
        else
          workspace.queue.edit(key, field, edit.value, {
            isHeld: this.#isHeld,
            ...('seen' in edit && { seen: edit.seen }),
          });
    });
    workspace.save();
  }

  undo(): void {
    const { workspace } = this.#cells.input;
    const left = workspace.queue.undo({ isHeld: this.#isHeld });
    this.#tell(left > 0 ? texts().undoLeft(left) : '');
    workspace.save();
  }

  redo(): void {
    const { workspace } = this.#cells.input;
    const left = workspace.queue.redo({ isHeld: this.#isHeld });
    this.#tell(left > 0 ? texts().redoLeft(left) : '');
    workspace.save();
  }

  /** Enters all rows of a block, also those that are not on the screen; nothing when one of them can't be read. */
  async paste(block: readonly (readonly string[])[], { row, column }: CellPosition): Promise<void> {
    const edits: Edit[] = [];
    let leftOut = 0;
    if (block.length > ROWS_AT_ONCE) this.#tell(texts().pasteReading(block.length));
    for (let done = 0; done < block.length; done += ROWS_AT_ONCE) {
      const some = block.slice(done, done + ROWS_AT_ONCE);
      const first = row + done;
      const problem = await this.#read(first, first + some.length);
      if (problem !== '') {
        this.#tell(problem);
        return this.#cells.input.workspace.save();
      }
      const found = editsOf(this.#cells, some, { row: first, column });
      edits.push(...found.edits);
      leftOut += found.leftOut;
    }
    this.enter(edits, leftOut > 0 ? texts().pasteLeftOut(leftOut) : '');
  }

  /** Reads rows and their granules. Why nothing can be pasted to them; '' when it can. */
  async #read(first: number, end: number): Promise<string> {
    const { pages, workspace } = this.#cells.input;
    const isOther = () => this.#cells.input.pages !== pages;
    try {
      await pages.ensure(first, end);
    } catch {
      return texts().pasteStopped;
    }
    if (isOther()) return texts().pasteStopped;
    const last = Math.min(end, pages.total);
    const keys = Array.from({ length: Math.max(0, last - first) }, (_, n) => this.#cells.keyAt(first + n));
    const missing = workspace.access.token === undefined ? [] : workspace.known.missing(keys);
    if (missing.length > 0 && !(await workspace.lookUp(missing)))
      return workspace.problem || texts().noAnswer;
    return isOther() ? texts().pasteStopped : '';
  }
}
