import { OTHER_PEPPER } from '../secrets/pepper-mark.ts';
import { unknownVariables } from './known-variables.ts';
import { settingsNotices } from './settings/notices.ts';
import type { KeptSettings } from './settings.ts';

/** Warnings about unknown variables, settings that are not in use, and keys of another installation. */
export const startNotices = (
  settings: KeptSettings,
  env: NodeJS.ProcessEnv,
  hasOtherKeys: boolean,
): string[] => [
  ...unknownVariables(env),
  ...settingsNotices(settings, env),
  ...(hasOtherKeys ? [OTHER_PEPPER] : []),
];
