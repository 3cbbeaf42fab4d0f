import type { RowCheck } from '@kaptain/contract/field-rules';
import {
  ConflictCollector,
  type GranuleInput,
  type GranuleRecord,
  type Granules,
  type KapsuleRecord,
} from '@kaptain/store';
import { TimeSlice } from '@kaptain/store/time-slice';
import { compareVersions } from '../granules/compare-versions.ts';
import { lookUpPages } from '../granules/look-up-pages.ts';
import { namesOf, newKeyName } from '../granules/row-names.ts';
import { RefusedValues } from './refused-values.ts';

type Kapsule = Pick<KapsuleRecord, 'id' | 'database'>;

/** The names of keys that several rows of a save have. */
function repeatedNames(rows: readonly GranuleInput[], kapsule: Kapsule): ReadonlySet<string> {
  const [seen, repeated] = [new Set<string>(), new Set<string>()];
  for (const row of rows) {
    const name = newKeyName(row, kapsule);
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
  }
  return repeated;
}

/**
 * The rows in the form in which they are stored; throws when one of them breaks the type or a rule of a field. A row that was checked
 * beside the stored one gets its version, so that the check still holds when it is saved.
 */
export async function checkRows(
  granules: Pick<Granules, 'lookup'>,
  kapsule: Kapsule,
  { needsStored, check }: RowCheck,
  rows: readonly GranuleInput[],
): Promise<GranuleInput[]> {
  const slice = new TimeSlice();
  const repeated = repeatedNames(rows, kapsule);
  const checked: (GranuleInput | undefined)[] = [];
  for (const row of rows) {
    const isAlone = !needsStored && !repeated.has(newKeyName(row, kapsule));
    const { data, refusals } = isAlone ? check(row.data) : { data: row.data, refusals: undefined };
    checked.push(refusals?.length === 0 ? { ...row, data } : undefined);
    await slice.pause();
  }
  const besides = rows.filter((_, index) => checked[index] === undefined);
  if (besides.length === 0) return checked.filter((row) => row !== undefined);

  const refused = new RefusedValues();
  const conflicts = new ConflictCollector();
  /** What the rows so far make of each granule, by its names. */
  const made = new Map<string, GranuleInput['data']>();
  const checkBeside = (row: GranuleInput, known: GranuleRecord | null): GranuleInput => {
    const names = namesOf(row, known, kapsule);
    const before = names.map((name) => made.get(name)).find((data) => data !== undefined);
    const { data, refusals, keepsAuthor } = check(row.data, before ?? known?.data ?? null);
    refused.add(row.key, refusals);
    for (const name of names) made.set(name, data);
    const user = (keepsAuthor && known?.user) || row.user;
    // A later row of the same key meets the version that the first one makes.
    if (before) return { ...row, data, user };
    compareVersions(row, known, conflicts);
    return { ...row, data, user, version: known?.version ?? 0 };
  };
  const rest = besides.values();
  const besideStored: GranuleInput[] = [];
  const keys = besides.map(({ key }) => key);
  for await (const page of lookUpPages(granules, kapsule.id, keys))
    for (const known of page) {
      const { value: row } = rest.next();
      if (row) besideStored.push(checkBeside(row, known));
      await slice.pause();
    }
  conflicts.end();
  refused.end();
  const nextBeside = besideStored.values();
  return checked.map((row) => row ?? nextBeside.next().value).filter((row) => row !== undefined);
}
