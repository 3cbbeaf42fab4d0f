import type { PlatformUser, SettingsUpdate } from '@kaptain/contract';

/** What of the settings decides how the platform is reached (SPEC 3). */
export interface PlatformSettings {
  settings: Pick<SettingsUpdate['settings'], 'qlikHost' | 'userId' | 'userDirectory'>;
  hosts: SettingsUpdate['hosts'];
}

export interface PlatformApp {
  id: string;
  name: string;
}

export interface ReloadOrder {
  appId: string;
  partial: boolean;
}

export interface ReloadProgress {
  /** From 0 to 1 where the platform says; most engines tell only what they do. */
  fraction: number | null;
  /** The newest thing the engine said. */
  text: string;
}

export interface ReloadResult {
  status: 'succeeded' | 'failed' | 'cancelled';
  /** Why it failed, as the platform says it. */
  failReason: string | null;
  /** Where the platform wrote its script log; on SaaS the id under which it hands it out. */
  scriptLogFile: string | null;
}

/** The business-intelligence platform, whichever way it is reached. */
export interface Platform {
  /** As whom the service is known there; fails when it is not known at all. */
  whoAmI(): Promise<PlatformUser>;
  listApps(): Promise<PlatformApp[]>;
  /** Fails when the app is not there or may not be opened. */
  openApp(appId: string): Promise<PlatformApp>;
  /** Runs to its end; the signal asks the platform to stop it. A broken connection is a PlatformError. */
  reload(
    order: ReloadOrder,
    onProgress: (progress: ReloadProgress) => void,
    signal: AbortSignal,
  ): Promise<ReloadResult>;
  /** The text of a script log where the platform hands it out; elsewhere it is a file on its disk. */
  scriptLog(appId: string, scriptLogFile: string): Promise<string | undefined>;
}

export interface Timeouts {
  /** For a connection to be there. */
  connectMs: number;
  /** For one call to be answered. */
  requestMs: number;
  /** Between two questions how far a reload is. */
  progressMs: number;
  /** A reload that says nothing new for so long counts as hung. */
  stalledMs: number;
}

export const standardTimeouts: Timeouts = {
  connectMs: 10_000,
  requestMs: 30_000,
  progressMs: 1000,
  stalledMs: 60 * 60_000,
};
