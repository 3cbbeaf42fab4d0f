import { useEffect } from 'react';
import type { Screen } from './screens.ts';

/** The connection as some browsers describe it. */
type Connection = { saveData?: boolean };
const savesData = () => (navigator as { connection?: Connection }).connection?.saveData === true;

/** Fetches the code of the other screens one after the other while the page is idle, unless the user saves data. */
export function usePrefetch(screens: readonly Screen[]): void {
  useEffect(() => {
    if (savesData() || !('requestIdleCallback' in window)) return undefined;
    let next: number;
    const [...left] = screens;
    const prefetch = async () => {
      await left
        .shift()
        ?.Page.prefetch?.()
        .catch(() => undefined);
      if (left.length > 0) next = requestIdleCallback(() => void prefetch());
    };
    next = requestIdleCallback(() => void prefetch());
    return () => {
      cancelIdleCallback(next);
      left.length = 0;
    };
  }, [screens]);
}
