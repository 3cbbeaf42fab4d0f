import { useSyncExternalStore } from 'react';

export type SchemeChoice = 'system' | 'light' | 'dark';
export type Scheme = 'light' | 'dark';

// first.js reads the same entry before the first paint.
const KEY = 'kaptain.scheme';
const listeners = new Set<() => void>();
const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)');

function readChoice(): SchemeChoice {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

function readScheme(): Scheme {
  const choice = readChoice();
  if (choice !== 'system') return choice;
  return systemIsDark().matches ? 'dark' : 'light';
}

export function chooseScheme(choice: SchemeChoice): void {
  if (choice === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  const system = systemIsDark();
  system.addEventListener('change', listener);
  listeners.add(listener);
  return () => {
    system.removeEventListener('change', listener);
    listeners.delete(listener);
  };
};

export const useSchemeChoice = (): SchemeChoice => useSyncExternalStore(subscribe, readChoice);
export const useScheme = (): Scheme => useSyncExternalStore(subscribe, readScheme);
