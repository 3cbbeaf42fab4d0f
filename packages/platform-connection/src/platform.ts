import type { PlatformUser, SettingsUpdate } from '@kaptain/contract';

/** The settings that define the connection to the platform. */
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
  /** From 0 to 1; null when the platform reports no fraction, as most engines do. */
  fraction: number | null;
  /** The latest progress text of the engine. */
  text: string;
}

export interface ReloadResult {
  status: 'succeeded' | 'failed' | 'cancelled';
  /** The platform's reason for the failure. */
  failReason: string | null;
  /** The path of the script log on the platform; on SaaS the id of the reload. */
  scriptLogFile: string | null;
}

/** The business-intelligence platform, the same interface for all connection modes. */
export interface Platform {
  /** The platform's user of the service; fails when the platform does not accept it. */
  whoAmI(): Promise<PlatformUser>;
  listApps(): Promise<PlatformApp[]>;
  /** Fails when the app does not exist or may not be opened. */
  openApp(appId: string): Promise<PlatformApp>;
  /** Resolves when the reload has ended; the signal cancels it. A broken connection is a PlatformError. */
  reload(
    order: ReloadOrder,
    onProgress: (progress: ReloadProgress) => void,
    signal: AbortSignal,
  ): Promise<ReloadResult>;
  /** The text of a script log; undefined where it is only a file on the platform's disk. */
  scriptLog(appId: string, scriptLogFile: string): Promise<string | undefined>;
}

export interface Timeouts {
  /** To open a connection. */
  connectMs: number;
  /** To answer one call. */
  requestMs: number;
  /** Between two polls of a reload's progress. */
  progressMs: number;
  /** A reload without new progress for this long counts as hung. */
  stalledMs: number;
}

export const standardTimeouts: Timeouts = {
  connectMs: 10_000,
  requestMs: 30_000,
  progressMs: 1000,
  stalledMs: 60 * 60_000,
};
