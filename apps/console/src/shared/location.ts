import { useSyncExternalStore } from 'react';

export const LOGIN = '/login';
const stateField = (name: string): unknown => {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null ? (state as Record<string, unknown>)[name] : undefined;
};

/** The router's key of the page this window was opened or reloaded on. */
export const keyAtLoad: unknown = stateField('key') ?? 'default';

const MOVED = 'kaptain:moved';

/** Moves between the login screen and the rest; inside the rest the router does. */
function replaceWith(path: string, state: unknown): void {
  history.replaceState(state, '', path);
  dispatchEvent(new Event(MOVED));
}

export const isAtLogin = (): boolean => location.pathname === LOGIN;

/** Leaves for the login screen; `comeBack` remembers the present page in the browser's history entry. */
export function goToLogin({ comeBack }: { comeBack: boolean }): void {
  if (isAtLogin()) return;
  const from = location.pathname + location.search;
  replaceWith(LOGIN, comeBack && from !== '/' ? { from } : null);
}

/** Spec 4: a successful login goes to /, unless one was sent away from a page. */
export function leaveLogin(): void {
  const from = stateField('from');
  replaceWith(typeof from === 'string' ? from : '/', null);
}

const subscribe = (listener: () => void) => {
  addEventListener('popstate', listener);
  addEventListener(MOVED, listener);
  return () => {
    removeEventListener('popstate', listener);
    removeEventListener(MOVED, listener);
  };
};

export const useIsAtLogin = (): boolean => useSyncExternalStore(subscribe, isAtLogin);
