import { useState } from 'react';
import type { Choice } from './column-layout.ts';

function read(key: string): Choice {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '');
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).map(([name, isShown]) => [name, isShown === true]));
  } catch {
    return {};
  }
}

/** A choice that survives a reload; another key has another choice. */
export function useRememberedChoice(key: string): [Choice, (choice: Choice) => void] {
  const [kept, keep] = useState(() => ({ key, choice: read(key) }));
  const choice = kept.key === key ? kept.choice : read(key);
  return [
    choice,
    (next) => {
      localStorage.setItem(key, JSON.stringify(next));
      keep({ key, choice: next });
    },
  ];
}
