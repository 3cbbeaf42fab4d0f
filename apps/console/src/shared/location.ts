import { useSyncExternalStore } from 'react';

const LOGIN = '/login';

/** The router's key of the page this window was opened or reloaded on. */
export const keyAtLoad: unknown = (history.state as { key?: unknown } | null)?.key ?? 'default';

const MOVED = 'kaptain:moved';

/** Navigates between the login screen and the shell; inside the shell the router does. */
function replaceWith(path: string): void {
  history.replaceState(null, '', path);
  dispatchEvent(new Event(MOVED));
}

const isAtLogin = (): boolean => location.pathname === LOGIN;

export function goToLogin(): void {
  if (!isAtLogin()) replaceWith(LOGIN);
}

/** Spec 4: a successful login goes to /, not to the page that has required it. */
export const leaveLogin = (): void => replaceWith('/');

const subscribe = (listener: () => void) => {
  addEventListener('popstate', listener);
  addEventListener(MOVED, listener);
  return () => {
    removeEventListener('popstate', listener);
    removeEventListener(MOVED, listener);
  };
};

export const useIsAtLogin = (): boolean => useSyncExternalStore(subscribe, isAtLogin);
