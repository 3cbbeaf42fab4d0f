/** The platform's keyboard navigation: with it only the object in which the person is has stops of the Tab key. */
interface Keyboard {
  enabled: boolean;
  active: boolean;
  focus: (() => void) | undefined;
  blur: ((isReset: boolean) => void) | undefined;
}

const hasFocus = (root: HTMLElement): boolean => root.matches(':focus-within');

/** Follows the platform's keyboard navigation, and tells it when the person enters or leaves the table. Returns its end. */
export function followKeyboard(root: HTMLElement, { enabled, active, focus, blur }: Keyboard): () => void {
  const grid = root.querySelector<HTMLElement>('.grid');
  for (const control of root.querySelectorAll<HTMLElement>('.bar button, .grid'))
    control.tabIndex = !enabled || active ? 0 : -1;
  if (!enabled) return () => undefined;
  if (active && !hasFocus(root)) grid?.focus();
  const entered = () => {
    if (!active) focus?.();
  };
  // The grid has the focus again a moment after a cell editor has closed.
  const left = () =>
    setTimeout(() => {
      if (active && !hasFocus(root)) blur?.(false);
    });
  const pressed = ({ key, defaultPrevented }: KeyboardEvent) => {
    if (key !== 'Escape' || defaultPrevented) return;
    blur?.(true);
    // Not every release moves the focus to the object itself.
    root.querySelector<HTMLElement>(':focus')?.blur();
  };
  root.addEventListener('focusin', entered);
  root.addEventListener('focusout', left);
  root.addEventListener('keydown', pressed);
  return () => {
    root.removeEventListener('focusin', entered);
    root.removeEventListener('focusout', left);
    root.removeEventListener('keydown', pressed);
  };
}
