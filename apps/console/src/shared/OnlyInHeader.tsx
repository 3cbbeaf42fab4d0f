import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';

/** A table that scrolls sideways draws its header a second time, unseen, to measure it: no place for a field. */
function OnlyInHeader({ children }: { children: ReactNode }) {
  const place = useRef<HTMLSpanElement>(null);
  const [isMeasured, setMeasured] = useState(false);
  useLayoutEffect(() => {
    if (place.current?.closest('[aria-hidden="true"]')) setMeasured(true);
  }, []);
  return <span ref={place}>{!isMeasured && children}</span>;
}

export const onlyInHeader = (field: ReactNode): ReactNode => <OnlyInHeader>{field}</OnlyInHeader>;
