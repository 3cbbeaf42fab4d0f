import { limits } from '@kaptain/contract';
import type { GranuleRecord, Granules } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';
import { shownKey } from './granule-size.ts';

/** A granule with all its values; one that is too large to be read at once can't be written back. */
export function requireWhole(granule: GranuleRecord | null): GranuleRecord | null {
  if (granule?.dataBytes === undefined) return granule;
  throw new AppError('TOO_LARGE', `The record ${shownKey(granule.key)} is too large to be compared.`);
}

/** The granules of any number of keys, as many at a time as the store answers: together they may have gigabytes. */
export async function* lookUpPages(
  granules: Pick<Granules, 'lookup'>,
  kapsuleId: string,
  keys: readonly string[],
): AsyncGenerator<(GranuleRecord | null)[]> {
  for (let first = 0; first < keys.length; ) {
    const some = await granules.lookup(kapsuleId, keys.slice(first, first + limits.keysPerLookup));
    yield some.map(requireWhole);
    first += some.length;
  }
}
