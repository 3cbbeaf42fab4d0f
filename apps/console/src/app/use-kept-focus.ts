import { useLayoutEffect, useRef } from 'react';
import { isAlive } from '../shared/tab-stops.ts';
import { isFocusable, nearestTo, type Place, placeOf } from './focus-place.ts';

interface Kept {
  page: string;
  /** The last place in the page and in each layer above it. */
  places: Place[];
}

/** The last place that there still is, or the nearest to it. */
function lastOf(places: readonly Place[]): HTMLElement | undefined {
  for (const place of places.toReversed()) {
    const target = nearestTo(place);
    if (target) return target;
  }
  return undefined;
}

/** Moves the focus to the nearest place when its element is removed, hidden or disabled: the browser would begin at the top again. */
export function useKeptFocus(): void {
  const kept = useRef<Kept>({ page: '', places: [] });
  // A layout effect ends before the login screen, behind which the page is kept, takes the focus.
  useLayoutEffect(() => {
    /** Whether the last place shows its focus, as it does for the keyboard. */
    let isShown = false;
    let frame = 0;

    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      const place = placeOf(target);
      const { places } = kept.current;
      const known = places.findIndex(({ layer }) => layer === place.layer);
      kept.current = {
        page: location.pathname,
        places: [...(known < 0 ? places : places.slice(0, known)), place],
      };
      isShown = target.matches(':focus-visible');
    };

    /** An element that stays was left on purpose, as by a click into text. What happens to it later moves nothing. */
    const forget = ({ target, relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) return;
      // Only after that a removed element is gone.
      queueMicrotask(() => {
        const isNowhere = document.activeElement === document.body;
        if (isNowhere && target instanceof Element && isFocusable(target)) kept.current.places = [];
      });
    };

    const restore = () => {
      frame = 0;
      const { activeElement, body } = document;
      if (activeElement && activeElement !== body && isAlive(activeElement)) return;
      const { page, places } = kept.current;
      const lost = places.at(-1)?.levels[0]?.element;
      // The heading of another page takes the focus by itself.
      if (!lost || page !== location.pathname || isFocusable(lost)) return;
      lastOf(places)?.focus({ preventScroll: !isShown });
    };

    // After a login that has kept the page, the user goes on where they were.
    if (document.activeElement === document.body && kept.current.page === location.pathname)
      lastOf(kept.current.places)?.focus();

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
