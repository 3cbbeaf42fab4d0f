import type { ConflictCollector, GranuleInput, GranuleRecord } from '@kaptain/store';

/** A row that was checked beside the stored one must not replace another version, e.g. the next one. */
export function compareVersions(
  row: GranuleInput,
  known: GranuleRecord | null,
  conflicts: ConflictCollector,
): void {
  const stored = known?.version ?? 0;
  if (row.version === undefined || row.version === stored) return;
  const bytes = Buffer.byteLength(JSON.stringify([row.data, known?.data]));
  conflicts.add(bytes, () => ({
    key: row.key,
    givenVersion: row.version ?? 0,
    givenData: row.data,
    storedVersion: stored,
    storedUser: known?.user ?? null,
    storedData: known?.data ?? null,
  }));
}
