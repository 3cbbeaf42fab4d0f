import { useEffect } from 'react';
import { isAlive } from '../shared/tab-stops.ts';
import { isFocusable, nearestTo, type Place, placeOf } from './focus-place.ts';

/** Moves the focus to the nearest place when its element is removed, hidden or disabled: the browser would begin at the top again. */
export function useKeptFocus(): void {
  useEffect(() => {
    /** The last place in the page and in each layer above it. */
    let places: Place[] = [];
    let page = location.pathname;
    /** Whether the last place shows its focus, as it does for the keyboard. */
    let isShown = false;
    let frame = 0;

    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      const place = placeOf(target);
      const known = places.findIndex(({ layer }) => layer === place.layer);
      places = [...(known < 0 ? places : places.slice(0, known)), place];
      page = location.pathname;
      isShown = target.matches(':focus-visible');
    };

    /** An element that stays was left on purpose, as by a click into text. What happens to it later moves nothing. */
    const forget = ({ target, relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) return;
      // Only after that a removed element is gone.
      queueMicrotask(() => {
        const isNowhere = document.activeElement === document.body;
        if (isNowhere && target instanceof Element && isFocusable(target)) places = [];
      });
    };

    const restore = () => {
      frame = 0;
      const { activeElement, body } = document;
      if (activeElement && activeElement !== body && isAlive(activeElement)) return;
      const lost = places.at(-1)?.levels[0]?.element;
      // The heading of another page takes the focus by itself.
      if (!lost || page !== location.pathname || isFocusable(lost)) return;
      for (const place of places.toReversed()) {
        const target = nearestTo(place);
        if (target) return target.focus({ preventScroll: !isShown });
      }
    };

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
