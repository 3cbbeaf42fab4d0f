import { useLayoutEffect, useRef } from 'react';
import { isAlive } from '../shared/tab-stops.ts';
import { type FocusPath, focusPathOf, isFocusable, nearestTo } from './focus-path.ts';

interface Kept {
  page: string;
  /** The last focus in the page and in each layer above it. */
  paths: FocusPath[];
}

/** The last focused element that still exists, or the nearest to it. */
function lastOf(paths: readonly FocusPath[]): HTMLElement | undefined {
  for (const path of paths.toReversed()) {
    const target = nearestTo(path);
    if (target) return target;
  }
  return undefined;
}

/** Moves the focus to the nearest element when its own is removed, hidden or disabled: the browser would begin at the top again. */
export function useKeptFocus(): void {
  const kept = useRef<Kept>({ page: '', paths: [] });
  // A layout effect ends before the login screen, behind which the page is kept, takes the focus.
  useLayoutEffect(() => {
    /** Whether the last element shows its focus, as it does for the keyboard. */
    let isShown = false;
    let frame = 0;

    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      const path = focusPathOf(target);
      const { paths } = kept.current;
      const index = paths.findIndex(({ layer }) => layer === path.layer);
      kept.current = {
        page: location.pathname,
        paths: [...(index < 0 ? paths : paths.slice(0, index)), path],
      };
      isShown = target.matches(':focus-visible');
    };

    /** An element that stays was left on purpose, as by a click into text. What happens to it later moves nothing. */
    const forget = ({ target, relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) return;
      // Only after that a removed element is gone.
      queueMicrotask(() => {
        const isNowhere = document.activeElement === document.body;
        if (isNowhere && target instanceof Element && isFocusable(target)) kept.current.paths = [];
      });
    };

    const restore = () => {
      frame = 0;
      const { activeElement, body } = document;
      if (activeElement && activeElement !== body && isAlive(activeElement)) return;
      const { page, paths } = kept.current;
      const lost = paths.at(-1)?.levels[0]?.element;
      // The heading of another page takes the focus by itself.
      if (!lost || page !== location.pathname || isFocusable(lost)) return;
      lastOf(paths)?.focus({ preventScroll: !isShown });
    };

    // After a login that has kept the page, the user goes on where they were.
    if (document.activeElement === document.body && kept.current.page === location.pathname)
      lastOf(kept.current.paths)?.focus();

    const observer = new MutationObserver(() => {
      frame ||= requestAnimationFrame(restore);
    });
    addEventListener('focusin', remember);
    addEventListener('focusout', forget);
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributeFilter: ['class', 'style', 'disabled', 'hidden', 'tabindex'],
    });
    return () => {
      removeEventListener('focusin', remember);
      removeEventListener('focusout', forget);
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, []);
}
