import { useEffect } from 'react';
import { isAlive, tabStopsIn } from './focus-place.ts';

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

/** A dialog starts at its first field; antd gives the focus to the button that closes it. */
function startAtField({ target, relatedTarget }: FocusEvent): void {
  const dialog =
    target instanceof Element && target.matches('.ant-modal-close') && target.closest('[role="dialog"]');
  if (!dialog || (relatedTarget instanceof Node && dialog.contains(relatedTarget))) return;
  tabStopsIn(dialog)
    .find((stop) => stop.matches('input, textarea'))
    ?.focus();
}

export function useDialogTab(): void {
  useEffect(() => {
    addEventListener('keydown', goRound);
    addEventListener('focusin', startAtField);
    return () => {
      removeEventListener('keydown', goRound);
      removeEventListener('focusin', startAtField);
    };
  }, []);
}
