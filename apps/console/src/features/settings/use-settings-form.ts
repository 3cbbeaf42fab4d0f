import type { SettingsInfo } from '@kaptain/contract/settings/settings';
import { createContext, useContext, useRef } from 'react';
import type { SettingsValues } from './settings-values.ts';

interface SettingsContextValue {
  /** The settings as the service has sent them. */
  info: SettingsInfo;
  /** The values of the form when it was opened. */
  initial: SettingsValues;
  /** False for a service without our extras. */
  isOwnService: boolean;
  /** A connection that is tested needs all of its fields, also those of an unused block. */
  isTesting: () => boolean;
  whileTesting: (work: () => Promise<unknown>) => Promise<void>;
}

export const SettingsContext = createContext<SettingsContextValue | undefined>(undefined);

export function useSettingsContext(): SettingsContextValue {
  const value = useContext(SettingsContext);
  if (!value) throw new Error('Only the settings form knows the settings.');
  return value;
}

/** Tells the fields of the form while one of its connections is tested. */
export function useTesting(): Pick<SettingsContextValue, 'isTesting' | 'whileTesting'> {
  const state = useRef(false);
  return {
    isTesting: () => state.current,
    async whileTesting(work) {
      state.current = true;
      try {
        await work();
      } finally {
        state.current = false;
      }
    },
  };
}

/** The name of the form: the ids of its fields begin with it. */
export const FORM = 'setting';
export const idOf = (path: readonly (string | number)[]): string => [FORM, ...path].join('_');
