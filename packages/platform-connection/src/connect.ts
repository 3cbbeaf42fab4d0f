import type { Access } from './access.ts';
import { PlatformError } from './errors.ts';
import { certAccess } from './modes/cert.ts';
import { desktopAccess } from './modes/desktop.ts';
import { jwtAccess } from './modes/jwt.ts';
import { saasAccess } from './modes/saas.ts';
import { type Platform, type PlatformSettings, standardTimeouts, type Timeouts } from './platform.ts';
import { saasPlatform } from './saas-platform.ts';
import { serverPlatform } from './server-platform.ts';

export interface PlatformOptions {
  /** Where uploaded certificates lie: the settings name them relative to it. */
  folder: string;
  clock?: () => number;
  timeouts?: Partial<Timeouts>;
}

function accessOf(settings: PlatformSettings, { folder, clock = Date.now }: PlatformOptions): Access {
  const { hosts } = settings;
  const mode = settings.settings.qlikHost;
  if (mode === 'DESKTOP') return desktopAccess(hosts.DESKTOP?.hostname);
  if (mode === 'CERT' && hosts.CERT) return certAccess(hosts.CERT, settings, folder);
  if (mode === 'JWT' && hosts.JWT) return jwtAccess(hosts.JWT, settings, folder, clock);
  if (mode === 'SAAS' && hosts.SAAS) return saasAccess(hosts.SAAS);
  throw new PlatformError('other', `The connection to the platform (${mode}) is not set up in the settings.`);
}

/** The platform of these settings. Nothing is opened yet; settings that can't work are a PlatformError at once. */
export function connectPlatform(settings: PlatformSettings, options: PlatformOptions): Platform {
  const timeouts = { ...standardTimeouts, ...options.timeouts };
  const access = accessOf(settings, options);
  return settings.settings.qlikHost === 'SAAS'
    ? saasPlatform(access, timeouts)
    : serverPlatform(access, timeouts);
}
