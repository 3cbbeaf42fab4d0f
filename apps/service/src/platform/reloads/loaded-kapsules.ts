import type { JobRecord, KapsuleRecord, Nouns } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';

/** The app of a kapsule is the one that loads it (docs/decisions/010); a reload for it by another app is refused. */
export function requireOwnApp({ name, appId }: KapsuleRecord, asked: string): void {
  if (!appId)
    throw new AppError('CONFLICT', `${name} has no app on the platform: set it under Schedules first.`);
  if (appId !== asked)
    throw new AppError('CONFLICT', `${name} is loaded by the app ${appId}, not by ${asked}.`);
}

/**
 * The kapsules whose granules this job loads: those with its app. A partial reload loads only the tables that its
 * script marks for it, so it counts only for the kapsule that it was started for.
 */
export async function loadedBy(
  { kapsules }: Pick<Nouns, 'kapsules'>,
  { appId, kapsuleId, partial }: JobRecord,
): Promise<KapsuleRecord[]> {
  if (appId === null) return [];
  const loaded = (await kapsules.all()).filter((kapsule) => kapsule.appId === appId && !kapsule.state);
  return partial ? loaded.filter(({ id }) => id === kapsuleId) : loaded;
}
