import type { SettingsInfo } from '@kaptain/contract/settings/settings';
import { createContext, useContext } from 'react';
import type { SettingsValues } from './settings-values.ts';

export interface SettingsContextValue {
  /** The settings as the service has sent them. */
  info: SettingsInfo;
  /** The values of the form when it was opened. */
  initial: SettingsValues;
  /** False for a service without our extras. */
  isOwnService: boolean;
}

export const SettingsContext = createContext<SettingsContextValue | undefined>(undefined);

export function useSettingsContext(): SettingsContextValue {
  const value = useContext(SettingsContext);
  if (!value) throw new Error('Only the settings form knows the settings.');
  return value;
}

/** The name of the form: the ids of its fields begin with it. */
export const FORM = 'setting';
export const idOf = (path: readonly (string | number)[]): string => [FORM, ...path].join('_');
