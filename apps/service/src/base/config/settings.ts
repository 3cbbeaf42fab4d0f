import { join } from 'node:path';
import { limits, type SettingsUpdate } from '@kaptain/contract';
import type { LogLevel } from '../logging/logs.ts';
import { secretFile } from '../secrets/secret-file.ts';
import type { FileSystem } from './settings/durable-file.ts';
import type { SavedGeneration, ServerFiles } from './settings/generation-file.ts';
import { Generations } from './settings/generations.ts';
import { importOldFile } from './settings/import-old-file.ts';
import { type Failed, startingGeneration } from './settings/starting-generation.ts';

/** The settings that the running service uses. */
export interface CurrentSettings {
  apiKey: boolean;
  /** 0 means the default. */
  sessionLifeMs: number;
  /** Every ADMIN needs a second factor. */
  adminsNeedSecondFactor: boolean;
  /** Sensitive actions ask for a recent proof of identity. */
  askAgain: boolean;
  /** Passwords are left to the first admin; the others sign in with the provider. */
  passwordOnlyForAdmin: boolean;
  /** The limits of each creator who is not an ADMIN. */
  kapsuleLimits: { kapsules: number; definitionBytes: number };
  corsAllowOrigins: readonly string[];
  logLevel: LogLevel;
  logPath: string;
}

export interface Settings {
  current(): CurrentSettings;
  /** The whole object, secrets included: not for answers. Relative paths in it start at the data folder. */
  whole(): SettingsUpdate;
  /** Called after each save, for parts that apply it without a restart. */
  onChange(listener: () => void): void;
}

/** The settings together with their files. */
export interface KeptSettings extends Settings {
  generations: Generations;
  /** The generation that this process started with. */
  began: SavedGeneration;
  serverFiles(): ServerFiles;
  /** Reads the saved settings again after a change. */
  refresh(): void;
  /** Problems with files that were skipped while reading, and settings that others have replaced. */
  warnings: readonly string[];
  warn(sentence: string): void;
}

const MiB = 1024 * 1024;
const units = { s: 1000, m: 60_000, h: 3_600_000 } as const;

function currentSettings({ settings, security, system, provider }: SettingsUpdate): CurrentSettings {
  const { number, timeUnit } = security.signExpiresIn;
  return {
    apiKey: settings.apiKey,
    sessionLifeMs: number * units[timeUnit],
    adminsNeedSecondFactor: security.adminsNeedSecondFactor === true,
    askAgain: security.askAgain === true,
    passwordOnlyForAdmin: provider?.enabled === true && provider.passwordOnlyForAdmin,
    kapsuleLimits: {
      kapsules: settings.kapsulesPerCreator ?? limits.kapsulesPerCreator,
      definitionBytes: (settings.definitionMiBPerCreator ?? limits.definitionMiBPerCreator) * MiB,
    },
    corsAllowOrigins: settings.corsAllowOrigins,
    logLevel: system.logLevel,
    logPath: system.logPath,
  };
}

interface Options {
  dataDir: string;
  failed?: Failed | undefined;
  files?: FileSystem | undefined;
}

/** The saved settings of a data folder, whether or not the service can start with them. */
export function settingsGenerations({
  dataDir,
  warn,
  files,
}: Pick<Options, 'dataDir' | 'files'> & { warn?: (sentence: string) => void }): Generations {
  const key = secretFile(join(dataDir, 'keys'), 'settings.key', 'the passwords in the settings are lost');
  const folder = join(dataDir, 'settings');
  return new Generations({ folder, key, ...(warn && { warn }), ...(files && { files }) });
}

/** The newest saved settings of a data folder; the defaults only when none were ever saved, or the service has run with them. */
export function openSettings({ dataDir, failed, files }: Options): KeptSettings {
  const warnings: string[] = [];
  // The files are read many times; each warning is given once.
  const warn = (sentence: string) => void (warnings.includes(sentence) || warnings.push(sentence));
  const generations = settingsGenerations({ dataDir, warn, files });
  importOldFile(dataDir, generations);
  generations.sweep();
  const began = startingGeneration(generations, failed);
  let live = { saved: began, current: currentSettings(began.settings) };
  const listeners: (() => void)[] = [];
  return {
    generations,
    began,
    warnings,
    warn,
    current: () => live.current,
    whole: () => live.saved.settings,
    serverFiles: () => live.saved.files,
    onChange: (listener) => void listeners.push(listener),
    refresh() {
      const saved = generations.newest();
      live = { saved, current: currentSettings(saved.settings) };
      for (const listener of listeners) listener();
    },
  };
}
