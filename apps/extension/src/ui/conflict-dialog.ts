import type { Conflict } from '../model/edit-queue.ts';
import { showCell } from '../model/values.ts';
import { button, element } from './element.ts';

export interface Decision {
  keepMine: () => void;
  takeTheirs: () => void;
  closed: () => void;
}

const empty = '(empty)';

/** Both values of a row side by side; nothing is lost before the person decides. */
export function openConflict(parent: HTMLElement, conflicts: readonly Conflict[], decision: Decision): void {
  const user = conflicts[0]?.user || 'Another person';
  const decide = (action: () => void) => () => {
    dialog.remove();
    action();
  };
  const values = conflicts.flatMap(({ field, mine, theirs }) => [
    element('dt', {}, `${field}, mine`),
    element('dd', {}, showCell('text', mine) || empty),
    element('dt', {}, `${field}, theirs`),
    element('dd', {}, showCell('text', theirs) || empty),
  ]);
  const keep = button('Keep mine', decide(decision.keepMine));
  const dialog = element(
    'div',
    { class: 'dialog', role: 'dialog', 'aria-modal': 'true', 'aria-labelledby': 'conflict-title' },
    element('h2', { id: 'conflict-title' }, `${user} has changed this row meanwhile`),
    element('dl', {}, ...values),
    keep,
    ' ',
    button('Take theirs', decide(decision.takeTheirs)),
    ' ',
    button('Decide later', decide(decision.closed)),
  );
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape') decide(decision.closed)();
    if (event.key !== 'Tab') return;
    // The focus stays among the buttons while the dialog is open.
    const buttons = [...dialog.querySelectorAll('button')];
    const edge = event.shiftKey ? buttons[0] : buttons.at(-1);
    if (event.target !== edge) return;
    event.preventDefault();
    (event.shiftKey ? buttons.at(-1) : buttons[0])?.focus();
  });
  parent.append(dialog);
  keep.focus();
}
