import { useSyncExternalStore } from 'react';

const LOGIN = '/login';

/** The router's key of the page this window was opened or reloaded on. */
export const keyAtLoad: unknown = (history.state as { key?: unknown } | null)?.key ?? 'default';

const MOVED = 'kaptain:moved';

/** Navigates between the login screen and the shell; inside the shell the router does. */
function replaceWith(path: string, state: unknown = null): void {
  history.replaceState(state, '', path);
  dispatchEvent(new Event(MOVED));
}

const isAtLogin = (): boolean => location.pathname === LOGIN;

/** A session that ended while its user was at a page; the history entry of the login screen has it, so a reload keeps it. */
interface EndedSession {
  userId: string;
  username: string;
  href: string;
  /** The router's state of that page. */
  state: unknown;
}

export function endedSession(): EndedSession | undefined {
  return (history.state as { ended?: EndedSession } | null)?.ended;
}

export function goToLogin(user?: { userId: string; username: string }): void {
  if (isAtLogin()) return;
  const { href } = location;
  const { userId = '', username = '' } = user ?? {};
  replaceWith(LOGIN, user && { ended: { userId, username, href, state: history.state as unknown } });
}

/** Spec 4: a login goes to /; a user whose session has ended comes back to the page where it did. */
export function leaveLogin(userId: string): void {
  const ended = endedSession();
  if (ended?.userId === userId) replaceWith(ended.href, ended.state);
  else replaceWith('/');
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
