import { SessionUser } from '@kaptain/contract/session';
import { useSyncExternalStore } from 'react';
import { setMustSetUpFactor } from './identity.ts';

const TOKEN = 'kaptain.token';
const USER = 'kaptain.user';
const listeners = new Set<() => void>();
let last: { text: string | null; user: SessionUser | undefined } = { text: null, user: undefined };

/** The user whose page stays mounted behind the login screen. */
let kept: SessionUser | undefined;

const changed = () => {
  for (const listener of listeners) listener();
};

function parseUser(text: string): SessionUser | undefined {
  try {
    return SessionUser.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export const readToken = (): string | null => sessionStorage.getItem(TOKEN);

/** The logged-in user; undefined unless both entries exist. Returns the same object while the entry is unchanged. */
export function readUser(): SessionUser | undefined {
  const text = readToken() ? sessionStorage.getItem(USER) : null;
  if (text !== last.text) last = { text, user: text ? parseUser(text) : undefined };
  return last.user;
}

export function storeSession(token: string, user: SessionUser): void {
  sessionStorage.setItem(TOKEN, token);
  sessionStorage.setItem(USER, JSON.stringify(user));
  kept = undefined;
  setMustSetUpFactor(false);
  changed();
}

/** The stored user may no longer create kapsules, so that Create is not offered, also after a reload. */
export function dropCreateRight(): void {
  const user = readUser();
  if (!user) return;
  sessionStorage.setItem(USER, JSON.stringify({ ...user, isCreate: false }));
  changed();
}

/** Ends the session. With `keepsPage` the page stays mounted, hidden, so that the same user finds what they have entered. */
export function clearSession({ keepsPage = false } = {}): void {
  kept = keepsPage ? readUser() : undefined;
  sessionStorage.removeItem(TOKEN);
  sessionStorage.removeItem(USER);
  changed();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

export const useStoredUser = (): SessionUser | undefined => useSyncExternalStore(subscribe, readUser);
/**
 * The user of the screens: behind the login screen the one whose page is kept, so that what they have entered stays there.
 */
export const useScreenUser = (): SessionUser | undefined =>
  useSyncExternalStore(subscribe, () => readUser() ?? kept);
/** The user whose page is kept, with what they have entered, until the next login. */
export const useKeptUser = (): SessionUser | undefined => useSyncExternalStore(subscribe, () => kept);
