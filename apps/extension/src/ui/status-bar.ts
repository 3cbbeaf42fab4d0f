import type { Workspace } from '../service/workspace.ts';
import { button, element } from './element.ts';

interface Actions {
  signIn: () => void;
  undo: () => void;
  retry: () => void;
}

/** The line above the grid: who writes, what waits, what went wrong. */
export class StatusBar {
  readonly root = element('div', { class: 'bar' });
  readonly #status = element('span', { role: 'status' });
  readonly #signIn: HTMLButtonElement;
  readonly #undo: HTMLButtonElement;
  readonly #retry: HTMLButtonElement;
  #told = '';

  constructor({ signIn, undo, retry }: Actions) {
    this.#signIn = button('Sign in', signIn);
    this.#undo = button('Undo', undo);
    this.#retry = button('Try again', retry);
    this.root.append(this.#status, this.#retry, this.#undo, this.#signIn);
  }

  /** A message that stays until the next one; an empty one removes it. */
  tell(message: string): void {
    this.#told = message;
  }

  show({ access, queue, problem }: Workspace, isReadOnly: boolean): void {
    const isSignedIn = access.token !== undefined;
    const waiting = queue.waiting;
    const state = waiting > 0 ? `Rows not saved yet: ${waiting}.` : '';
    const person = isSignedIn ? `You write as ${access.author}.` : 'Sign in to see and write comments.';
    const text = [this.#told, problem, state, person].filter((part) => part !== '').join(' ');
    if (this.#status.textContent !== text) this.#status.textContent = text;
    this.#signIn.hidden = isSignedIn || isReadOnly;
    this.#undo.hidden = isReadOnly;
    this.#undo.disabled = !queue.canUndo;
    this.#retry.hidden = !queue.hasFailed;
  }
}
