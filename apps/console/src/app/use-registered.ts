import { mayCall } from '@kaptain/contract/permissions';
import type { SessionUser } from '@kaptain/contract/session';
import { createContext, useContext } from 'react';
import { matchPath } from 'react-router';
import { useApiKeysSwitch } from '../api/settings.ts';
import type { Screen } from './screens.ts';
import { useServed } from './use-served.ts';

interface Registration {
  /** All screens of this service; the menu shows disabled entries for those closed to this user. */
  all: readonly Screen[];
  /** Spec 2: the routes that exist for this user. */
  open: readonly Screen[];
  /** The API-key setting is not loaded yet, so an unknown address may still become a route. */
  isPending: boolean;
  user: SessionUser;
}

export function useRegistration(screens: readonly Screen[], user: SessionUser): Registration {
  const apiKeys = useApiKeysSwitch();
  const actor = {
    userId: user.userId,
    role: user.role,
    isCreate: user.isCreate ?? false,
    isFirstAdmin: user.username === 'admin',
  };
  const isAllowed = ({ access }: Screen) => mayCall(access, actor, apiKeys.isOn);
  const all = useServed(screens, isAllowed);
  return { all, open: all.filter(isAllowed), isPending: apiKeys.isPending, user };
}

export const RegistrationContext = createContext<Registration | undefined>(undefined);

export function useRegistered(): Registration {
  const registration = useContext(RegistrationContext);
  if (!registration) throw new Error('Only the shell knows the registered screens.');
  return registration;
}

/** The screen at a path, if it is open to this user. */
export const screenAt = (screens: readonly Screen[], pathname: string): Screen | undefined =>
  screens.find(({ path }) => matchPath(path, pathname) !== null);
