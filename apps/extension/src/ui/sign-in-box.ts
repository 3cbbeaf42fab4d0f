import { texts } from '../texts/texts.ts';
import { button, element } from './element.ts';
import { keepFocusIn } from './keep-focus-in.ts';
import { moveTo, placeAt } from './place-beside.ts';

interface Options {
  parent: HTMLElement;
  cell: HTMLElement | undefined;
  signIn: () => void;
  /** Called when the box is gone. */
  closed: () => void;
}

/** Answers a person who types before signing in: what was typed would have no author. */
export function openSignInBox({ parent, cell, signIn, closed }: Options): void {
  if (parent.querySelector('.dialog')) return;
  const close = () => {
    box.remove();
    closed();
  };
  const start = button(texts().signIn, () => {
    close();
    signIn();
  });
  const box = element(
    'div',
    { class: 'dialog', role: 'dialog', 'aria-modal': 'true', 'aria-labelledby': 'sign-in-title' },
    element('h2', { id: 'sign-in-title' }, texts().signInToWrite),
    element('div', { class: 'buttons' }, start, button(texts().thread.cancel, close)),
  );
  keepFocusIn(box, close);
  parent.append(box);
  if (cell) moveTo(box, cell, placeAt);
  start.focus();
}
