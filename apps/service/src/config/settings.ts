import { join } from 'node:path';
import type { SettingsUpdate } from '@kaptain/contract';
import { secretFile } from '../security/secret-file.ts';
import type { FileSystem } from './settings/durable-file.ts';
import type { SavedGeneration, ServerFiles } from './settings/generation-file.ts';
import { Generations } from './settings/generations.ts';
import { takeOverOldFile } from './settings/old-file.ts';

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
  /** The whole object, secrets included: not for answers. Relative paths in it count from the data folder. */
  whole(): SettingsUpdate;
  /** Called after each save: what is opened by the settings can be opened anew without a restart. */
  onChange(listener: () => void): void;
}

/** The settings together with where they are kept. */
export interface KeptSettings extends Settings {
  generations: Generations;
  /** The generation this process began with. */
  began: SavedGeneration;
  serverFiles(): ServerFiles;
  /** Reads what is saved anew, after it was changed. */
  refresh(): void;
  /** What had to be passed over while reading. */
  warnings: readonly string[];
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

interface Options {
  dataDir: string;
  /** The generation with which the service just failed to start. */
  without?: number | undefined;
  files?: FileSystem;
}

/** The newest saved settings of a data folder, or the defaults where there are none. */
export function openSettings({ dataDir, without, files }: Options): KeptSettings {
  const warnings: string[] = [];
  const key = secretFile(join(dataDir, 'keys'), 'settings.key', 'the passwords in the settings are lost');
  const generations = new Generations({
    folder: join(dataDir, 'settings'),
    key,
    warn: (sentence) => warnings.push(sentence),
    ...(files && { files }),
  });
  takeOverOldFile(dataDir, generations);
  generations.sweep();
  const began = generations.newest(without);
  let live = { saved: began, current: currentSettings(began.settings) };
  const listeners: (() => void)[] = [];
  return {
    generations,
    began,
    warnings,
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
