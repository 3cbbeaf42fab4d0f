import { type RefObject, useEffect, useState } from 'react';

/** Tells whether a table fits (`wide`) or scrolls sideways inside its frame. */
export type Room = 'wide' | 'narrow' | 'phone';

const PHONE = 640;

export function useRoom(frame: RefObject<HTMLElement | null>): Room {
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  // The width of the table when it last did not fit.
  const [needed, setNeeded] = useState(0);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => {
      const table = element.querySelector('table');
      const isScrolling = element.querySelector('.ant-table-scroll-horizontal') !== null;
      setWidth(element.clientWidth);
      if (table && !isScrolling && table.offsetWidth > element.clientWidth) setNeeded(table.offsetWidth);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    // The content changes the width too: a longer name may need more room.
    const table = element.querySelector('table');
    if (table) observer.observe(table);
    return () => observer.disconnect();
  }, [frame]);

  if (width >= needed) return 'wide';
  return width < PHONE ? 'phone' : 'narrow';
}
