import type { CellName } from '../model/saved-cells.ts';
import type { KeptEdits } from '../service/kept-edits.ts';
import type { Workspace } from '../service/workspace.ts';
import { texts } from '../texts/texts.ts';
import { CellCounts } from './cell-counts.ts';
import { button, element } from './element.ts';

interface Actions {
  signIn: () => void;
  save: () => void;
  undo: () => void;
  retry: () => void;
  /** Goes to a cell. */
  jump: (cell: CellName) => void;
}

interface Mode {
  isReadOnly: boolean;
  /** Edits wait for the Save button. */
  hasSave: boolean;
}

/** How many rows have edits or comments of a person who is not signed in. */
const keptRows = ({ rows, comments }: KeptEdits): number =>
  new Set([...rows, ...comments].map(({ key }) => key)).size;

/** The line above the grid: who writes, what waits, what went wrong. */
export class StatusBar {
  readonly root = element('div', { class: 'bar' });
  readonly #status = element('span', { role: 'status' });
  readonly #counts: CellCounts;
  readonly #signIn: HTMLButtonElement;
  readonly #save: HTMLButtonElement;
  readonly #undo: HTMLButtonElement;
  readonly #retry: HTMLButtonElement;
  #told = '';

  constructor({ signIn, save, undo, retry, jump }: Actions) {
    this.#counts = new CellCounts(jump);
    this.#signIn = button(texts().signIn, signIn);
    this.#save = button(texts().save, save);
    this.#undo = button(texts().undo, undo);
    this.#retry = button(texts().tryAgain, retry);
    this.root.append(this.#counts.root, this.#status, this.#retry, this.#undo, this.#save, this.#signIn);
  }

  /** A message that stays until the next one; an empty one removes it. */
  tell(message: string): void {
    this.#told = message;
  }

  /** Removes the present message, if it is one of these. */
  retract(...messages: string[]): void {
    if (messages.includes(this.#told)) this.#told = '';
  }

  show(workspace: Workspace, { isReadOnly, hasSave }: Mode): void {
    const { access, queue, outbox, problem, left, mayWrite } = workspace;
    this.#counts.show(workspace);
    const isSignedIn = access.token !== undefined;
    const parts = [
      this.#told,
      problem,
      outbox.waiting > 0 ? texts().thread.notSent(outbox.waiting) : '',
      ...left.map((edits) => texts().rowsKept(keptRows(edits), edits.author)),
      problem === texts().kapsuleGone
        ? ''
        : isSignedIn
          ? (mayWrite ? texts().youWriteAs : texts().youOnlyRead)(access.author)
          : texts().signInFirst,
    ];
    const text = parts.filter((part) => part !== '').join(' ');
    if (this.#status.textContent !== text) this.#status.textContent = text;
    this.#signIn.hidden = isSignedIn || isReadOnly;
    // What was entered before the right was lost can still be taken back.
    this.#undo.hidden = isReadOnly || !(mayWrite || queue.canUndo);
    this.#undo.disabled = !queue.canUndo;
    this.#save.hidden = isReadOnly || !hasSave || !(mayWrite || queue.isHeld);
    this.#save.disabled = !queue.isHeld;
    this.#retry.hidden = !queue.hasFailed;
  }
}
