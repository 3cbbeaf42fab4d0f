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

export function useDialogTab(): void {
  useEffect(() => {
    addEventListener('keydown', goRound);
    return () => removeEventListener('keydown', goRound);
  }, []);
}
