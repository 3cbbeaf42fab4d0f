import { useLayoutEffect, useRef } from 'react';

const NEAR_PX = 24;

/** Keeps the end of a scrolling box in view while `isWanted`; tells when the user scrolls away from the end, or back. */
export function useEndInView<E extends HTMLElement>(isWanted: boolean, onChange: (isAtEnd: boolean) => void) {
  const box = useRef<E>(null);
  const top = useRef(0);
  // After every render: added or filtered lines move the end.
  useLayoutEffect(() => {
    const { current } = box;
    if (!current || !isWanted) return;
    current.scrollTop = current.scrollHeight;
    top.current = current.scrollTop;
  });
  const onScroll = () => {
    const { current } = box;
    if (!current) return;
    const below = current.scrollHeight - current.clientHeight - current.scrollTop;
    // Added text moves the end away without scrolling up, so this is taken for the user's scrolling.
    if (isWanted && current.scrollTop < top.current - 1) onChange(false);
    if (!isWanted && below < NEAR_PX && current.scrollTop > top.current) onChange(true);
    top.current = current.scrollTop;
  };
  return { box, onScroll };
}
