import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** Text values kept in the URL, so that Back, reload and a shared link restore them; initial values are left out. */
export function useUrlState<T extends Record<string, string>>(initial: T): [T, (change: Partial<T>) => void] {
  const [params, setParams] = useSearchParams();
  const state = Object.fromEntries(
    Object.entries(initial).map(([name, value]) => [name, params.get(name) ?? value]),
  ) as T;
  const change = useCallback(
    (values: Partial<T>) =>
      setParams(
        () => {
          // Reads the address itself: the router's value is the last rendered one and misses a change made since.
          const after = new URLSearchParams(location.search);
          for (const [name, value] of Object.entries(values)) {
            if (value === undefined || value === initial[name]) after.delete(name);
            else after.set(name, value);
          }
          return after;
        },
        { replace: true },
      ),
    [setParams, initial],
  );
  return [state, change];
}
