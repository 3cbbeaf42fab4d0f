/** Tab goes on inside the element, which is scrolled to that edge of the window. */
export function startAt(element: HTMLElement | null, edge: 'start' | 'end' = 'start'): void {
  if (!element) return;
  element.tabIndex = -1;
  element.scrollIntoView({ block: edge });
  element.focus({ preventScroll: true });
}
