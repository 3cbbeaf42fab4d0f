import { useState } from 'react';

function read(key: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '');
    return Array.isArray(value) ? value.map(String) : undefined;
  } catch {
    return undefined;
  }
}

/** A list of chosen names that survives a reload. */
export function useRememberedList(
  key: string,
  initial: readonly string[],
): [readonly string[], (names: readonly string[]) => void] {
  const [names, setNames] = useState<readonly string[]>(() => read(key) ?? initial);
  return [
    names,
    (next) => {
      localStorage.setItem(key, JSON.stringify(next));
      setNames(next);
    },
  ];
}
