import { useLayoutEffect, useRef } from 'react';

const NEAR_PX = 24;

/** Keeps the end of a scrolling box in view while that is wanted, and tells when somebody scrolls away from it. */
export function useEndInView<E extends HTMLElement>(isWanted: boolean, onLeave: () => void) {
  const box = useRef<E>(null);
  const height = useRef(0);
  // After every drawing: whatever was added or filtered, the end is somewhere else now.
  useLayoutEffect(() => {
    const { current } = box;
    if (!current || !isWanted) return;
    current.scrollTop = current.scrollHeight;
    height.current = current.scrollHeight;
  });
  const onScroll = () => {
    const { current } = box;
    if (!current || !isWanted) return;
    const below = current.scrollHeight - current.clientHeight - current.scrollTop;
    // Text that was added moves the end away; only a person moves the view.
    if (below > NEAR_PX && current.scrollHeight === height.current) onLeave();
  };
  return { box, onScroll };
}
