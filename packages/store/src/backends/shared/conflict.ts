import type { ConflictCollector, GranuleConflict } from '../../errors.ts';
import type { StoredGranule } from '../../granules.ts';
import type { GranuleRow } from './granule-row.ts';

/** The stored granule of a conflict; its data is JSON text. */
interface StoredValue {
  id: string;
  version: number;
  user: string;
  data: string;
}

const parsed = (data: string) => JSON.parse(data) as Record<string, unknown>;

/** Collects a write that names another version than the stored one, which is 0 without a living granule. */
export function collectConflict(
  conflicts: ConflictCollector,
  row: Readonly<GranuleRow>,
  stored: StoredValue | undefined,
): StoredGranule {
  const bytes = Buffer.byteLength(row[2]) + Buffer.byteLength(stored?.data ?? '');
  conflicts.add(bytes, () => conflictOf(row, stored));
  return { id: stored?.id ?? '', key: row[0], version: stored?.version ?? 0 };
}

function conflictOf(
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
