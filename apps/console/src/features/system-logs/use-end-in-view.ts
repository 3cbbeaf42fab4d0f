import { useLayoutEffect, useRef } from 'react';

const NEAR_PX = 24;

/** Keeps the end of a scrolling box in view while that is wanted; tells when somebody scrolls away from it, or back. */
export function useEndInView<E extends HTMLElement>(isWanted: boolean, onChange: (isAtEnd: boolean) => void) {
  const box = useRef<E>(null);
  const top = useRef(0);
  // After every drawing: whatever was added or filtered, the end is somewhere else now.
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
    // Text that is added moves the end away, but only a person scrolls up.
    if (isWanted && current.scrollTop < top.current - 1) onChange(false);
    if (!isWanted && below < NEAR_PX && current.scrollTop > top.current) onChange(true);
    top.current = current.scrollTop;
  };
  return { box, onScroll };
}
