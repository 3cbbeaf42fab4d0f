import { readFileSync } from 'node:fs';
import { SettingsUpdate } from '@kaptain/contract';
import { ConfigError } from './config-error.ts';

/** What the running service asks of its settings. */
export interface CurrentSettings {
  apiKey: boolean;
  /** 0 when the default applies. */
  sessionLifeMs: number;
  corsAllowOrigins: readonly string[];
  logLevel: 'debug' | 'info' | 'warn' | 'error';
  logPath: string;
}

export interface Settings {
  current(): CurrentSettings;
  /** The whole object, secrets included: not for answers. */
  whole(): SettingsUpdate;
}

const units = { s: 1000, m: 60_000, h: 3_600_000 } as const;

function currentSettings({ settings, security, system }: SettingsUpdate): CurrentSettings {
  const { number, timeUnit } = security.signExpiresIn;
  return {
    apiKey: settings.apiKey,
    sessionLifeMs: number * units[timeUnit],
    corsAllowOrigins: settings.corsAllowOrigins,
    logLevel: system.logLevel,
    logPath: system.logPath,
  };
}

function parse(file: string, text: string): SettingsUpdate {
  try {
    return SettingsUpdate.parse(JSON.parse(text));
  } catch {
    throw new ConfigError(
      `The settings file ${file} can't be read: correct it, or move it away to start with defaults.`,
    );
  }
}

/** The settings of the file, or the defaults where there is none. */
export function readSettings(file: string): Settings {
  let text = '{"settings":{}}';
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new ConfigError(`The settings file ${file} can't be opened: check the rights on it.`);
    }
  }
  const whole = parse(file, text);
  const current = currentSettings(whole);
  return { current: () => current, whole: () => whole };
}
