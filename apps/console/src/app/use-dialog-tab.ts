import { useEffect } from 'react';
import { isAlive, tabStopsIn } from '../shared/tab-stops.ts';

const isBefore = (one: Element, other: Element) =>
  (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

/** Tab goes round in an open dialog or drawer: antd lets it leave to the browser at both ends. */
function goRound(event: KeyboardEvent): void {
  if (event.key !== 'Tab' || event.defaultPrevented) return;
  const active = document.activeElement ?? document.body;
  const dialogs = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')].filter(isAlive);
  const dialog = dialogs.find((one) => one.contains(active)) ?? (active === document.body && dialogs.at(-1));
  if (!dialog) return;
  const stops = tabStopsIn(dialog);
  const isInside = dialog.contains(active);
  const hasNext = stops.some((stop) =>
    event.shiftKey ? stop !== active && isBefore(stop, active) : isBefore(active, stop),
  );
  if (isInside && hasNext) return;
  event.preventDefault();
  stops.at(event.shiftKey ? -1 : 0)?.focus();
}

/** The open dialogs that have had the focus. */
let entered: Element[] = [];
const forgetClosed = () => {
  entered = entered.filter(isAlive);
};

/** A dialog that opens with a field starts there; antd gives the focus to the button that closes it, or to the dialog itself. */
function startAtField({ target }: FocusEvent): void {
  if (!(target instanceof HTMLElement)) return;
  const dialog = target.closest('[role="dialog"][aria-modal="true"]');
  if (!dialog || entered.includes(dialog)) return;
  entered.push(dialog);
  const stops = tabStopsIn(dialog);
  const close = stops.findIndex((stop) => stop.matches('.ant-modal-close'));
  // Which of several forms it is was chosen already.
  const first = stops.slice(close + 1).find((stop) => !stop.matches('[type="radio"], [role="radiogroup"]'));
  if ((target === dialog || target === stops[close]) && first?.matches('input, textarea')) first.focus();
}

export function useDialogTab(): void {
  useEffect(() => {
    addEventListener('keydown', goRound);
    addEventListener('focusin', startAtField);
    // The action that opens a dialog again begins with one of these events.
    for (const type of ['keydown', 'pointerdown']) addEventListener(type, forgetClosed, { capture: true });
    return () => {
      removeEventListener('keydown', goRound);
      removeEventListener('focusin', startAtField);
      for (const type of ['keydown', 'pointerdown'])
        removeEventListener(type, forgetClosed, { capture: true });
    };
  }, []);
}
