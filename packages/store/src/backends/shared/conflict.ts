import type { GranuleConflict } from '../../errors.ts';
import type { GranuleRow } from './granule-row.ts';

/** What a conflict shows of the stored granule; its data is JSON text. */
export interface StoredValue {
  version: number;
  user: string;
  data: string;
}

const parsed = (data: string) => JSON.parse(data) as Record<string, unknown>;

/** Describes a write whose expected version is not the stored one; without a stored granule that version is 0. */
export function conflictOf(
  [key, , data, , version]: Readonly<GranuleRow>,
  stored: StoredValue | undefined,
): GranuleConflict {
  return {
    key,
    givenVersion: version ?? 0,
    givenData: parsed(data),
    storedVersion: stored?.version ?? 0,
    storedUser: stored?.user ?? null,
    storedData: stored ? parsed(stored.data) : null,
  };
}
