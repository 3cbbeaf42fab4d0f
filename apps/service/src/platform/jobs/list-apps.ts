import { AppError } from '../../base/errors/app-error.ts';
import type { JobsDeps } from './jobs-deps.ts';

/** The apps of the platform; a failure is answered with a message for the ADMIN. */
export async function listApps({
  settings,
  dataDir,
  log,
}: JobsDeps): Promise<{ id: string; name: string }[]> {
  const { settings: own, hosts } = settings.whole();
  if (own.qlikHost !== 'DESKTOP' && !hosts[own.qlikHost])
    throw new AppError('CONFLICT', 'The connection to the platform is not set up in the settings.');
  // Imported on the first call, because the platform's library is large.
  const { connectPlatform, PlatformError } = await import('@kaptain/platform-connection');
  try {
    return await connectPlatform(settings.whole(), { folder: dataDir }).listApps();
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    log.warn({ reason: error.message }, 'the apps of the platform could not be listed');
    throw new AppError('UNAVAILABLE', error.message, { retryAfter: 30 });
  }
}
