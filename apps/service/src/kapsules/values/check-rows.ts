import type { RowCheck } from '@kaptain/contract/field-rules';
import { ConflictCollector, type GranuleInput, type GranuleRecord, type Granules } from '@kaptain/store';
import { TimeSlice } from '@kaptain/store/time-slice';
import { compareVersions } from '../granules/compare-versions.ts';
import { lookUpAll } from '../granules/look-up-all.ts';
import { RefusedValues } from './refused-values.ts';

/** Checked without the stored row; undefined when it must be seen. */
function checkedAlone({ needsStored, check }: RowCheck, row: GranuleInput): GranuleInput | undefined {
  if (needsStored) return undefined;
  const { data, refusals } = check(row.data);
  return refusals.length === 0 ? { ...row, data } : undefined;
}

/**
 * The rows in the form in which they are stored; throws when one of them breaks the type or a rule of a field. A row that was checked
 * beside the stored one gets its version, so that the check still holds when it is saved.
 */
export async function checkRows(
  granules: Pick<Granules, 'lookup'>,
  kapsuleId: string,
  checks: RowCheck,
  rows: readonly GranuleInput[],
): Promise<GranuleInput[]> {
  const slice = new TimeSlice();
  const checked: (GranuleInput | undefined)[] = [];
  for (const row of rows) {
    checked.push(checkedAlone(checks, row));
    await slice.pause();
  }
  const left = rows.filter((_, index) => checked[index] === undefined);
  if (left.length === 0) return checked.filter((row) => row !== undefined);

  const stored = await lookUpAll(
    granules,
    kapsuleId,
    left.map(({ key }) => key),
  );
  const besides = new Map(left.map((row, index) => [row, stored[index] ?? null]));
  const refused = new RefusedValues();
  const conflicts = new ConflictCollector();
  const seen = new Set<string>();
  const beside = (row: GranuleInput, known: GranuleRecord | null): GranuleInput => {
    const { data, refusals } = checks.check(row.data, known?.data ?? null);
    refused.add(row.key, refusals);
    // A later row of the same key meets the version that the first one makes.
    if (seen.has(row.key)) return { ...row, data };
    seen.add(row.key);
    compareVersions(row, known, conflicts);
    return { ...row, data, version: known?.version ?? 0 };
  };
  const whole: GranuleInput[] = [];
  for (const [index, row] of rows.entries()) {
    whole.push(checked[index] ?? beside(row, besides.get(row) ?? null));
    await slice.pause();
  }
  conflicts.end();
  refused.end();
  return whole;
}
