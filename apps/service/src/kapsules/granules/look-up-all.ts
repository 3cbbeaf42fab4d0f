import { limits } from '@kaptain/contract';
import type { GranuleRecord, Granules } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';
import { shownKey } from './granule-size.ts';

/** A granule with all its values; one that is too large to be read at once can't be written back. */
export function requireWhole(granule: GranuleRecord | null): GranuleRecord | null {
  if (granule?.dataBytes === undefined) return granule;
  throw new AppError('TOO_LARGE', `The record ${shownKey(granule.key)} is too large to be compared.`);
}

/** The granules of any number of keys; an answer of the store ends at its limits. */
export async function lookUpAll(
  granules: Pick<Granules, 'lookup'>,
  kapsuleId: string,
  keys: readonly string[],
): Promise<(GranuleRecord | null)[]> {
  const found: (GranuleRecord | null)[] = [];
  while (found.length < keys.length) {
    const some = await granules.lookup(
      kapsuleId,
      keys.slice(found.length, found.length + limits.keysPerLookup),
    );
    for (const granule of some) found.push(requireWhole(granule));
  }
  return found;
}
