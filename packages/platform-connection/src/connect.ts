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
  /** The folder of uploaded certificates, which the settings name relative to it. */
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

/** Returns the platform of these settings, without connecting yet. Throws PlatformError for settings that can't work. */
export function connectPlatform(settings: PlatformSettings, options: PlatformOptions): Platform {
  const timeouts = { ...standardTimeouts, ...options.timeouts };
  const access = accessOf(settings, options);
  return settings.settings.qlikHost === 'SAAS'
    ? saasPlatform(access, timeouts)
    : serverPlatform(access, timeouts);
}
