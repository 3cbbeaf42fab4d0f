/** The focus stays inside a dialog while it is open; Escape closes it. */
export function keepFocusIn(dialog: HTMLElement, close: () => void): void {
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape') close();
    if (event.key !== 'Tab') return;
    const stops = [...dialog.querySelectorAll<HTMLElement>('button, input, select, textarea')];
    const edge = event.shiftKey ? stops[0] : stops.at(-1);
    if (event.target !== edge) return;
    event.preventDefault();
    (event.shiftKey ? stops.at(-1) : stops[0])?.focus();
  });
}
