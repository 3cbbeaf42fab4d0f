import { type DatabaseName, DEFAULT_DATABASE } from '@kaptain/contract';
import type { KapsuleRecord } from '@kaptain/store';
import { AppError } from '../http/app-error.ts';

/** The one place that decides where the granules of a kapsule live. */
export function requireConnected(database: DatabaseName): void {
  if (database === DEFAULT_DATABASE) return;
  throw new AppError('UNAVAILABLE', `The database ${database} is not connected to this service.`, {
    retryAfter: 60,
  });
}

/** The granules of a kapsule, in the store or in the unit of work given. */
export function granulesOf<G>({ granules }: { granules: G }, { database }: KapsuleRecord): G {
  requireConnected(database);
  return granules;
}
