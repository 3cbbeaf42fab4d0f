import { approvedFields, changedFields } from '@kaptain/contract/approval-rules';
import type { RowCheck } from '@kaptain/contract/field-rules';
import { isThread } from '@kaptain/contract/fields';
import { ownValue } from '@kaptain/contract/own-value';
import { sameValue } from '@kaptain/contract/same-value';
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
import { DraftRoom } from './draft-room.ts';

type Data = Readonly<Record<string, unknown>>;

/** A change of one record that needs approval. */
export interface Draft {
  key: string;
  baseVersion: number;
  base: Record<string, unknown>;
  values: Record<string, unknown>;
}

interface Split {
  /** What is saved at once, each with the version that it was compared with. */
  rows: GranuleInput[];
  drafts: Draft[];
}

/** The last of the rows of each key, with the version that the first one replaces. */
function lastOfEach(rows: readonly GranuleInput[]): GranuleInput[] {
  const last = new Map<string, GranuleInput>();
  for (const row of rows) {
    const { version: _, ...rest } = row;
    const { version } = last.get(row.key) ?? row;
    last.set(row.key, { ...rest, ...(version !== undefined && { version }) });
  }
  return [...last.values()];
}

/** No value is null here: JSON has no other way to say it. */
const valuesOf = (data: Data, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, ownValue(data, name) ?? null]));

/** The row with the stored values of these fields. */
function withStored(data: Data, stored: Data, names: readonly string[]): Record<string, unknown> {
  const replaced = new Set(names);
  const values = new Map(Object.entries(data).filter(([name]) => !replaced.has(name)));
  for (const name of names) if (Object.hasOwn(stored, name)) values.set(name, stored[name]);
  return Object.fromEntries(values);
}

const isSameData = (one: Data, other: Data): boolean =>
  [...Object.keys(one), ...Object.keys(other)].every((name) =>
    sameValue(ownValue(one, name), ownValue(other, name)),
  );

/**
 * Takes the changes that need approval out of checked rows. A new record waits as a whole, and so does a row whose other values would
 * break a rule without the proposed ones.
 */
export async function splitProposed(
  granules: Pick<Granules, 'lookup'>,
  kapsule: KapsuleRecord,
  { check }: RowCheck,
  given: readonly GranuleInput[],
): Promise<Split> {
  const asking = approvedFields(kapsule);
  const all = kapsule.fields.filter(({ type }) => !isThread(type)).map(({ name }) => name);
  const conflicts = new ConflictCollector();
  const split: Split = { rows: [], drafts: [] };
  const room = new DraftRoom();

  function take(row: GranuleInput, known: GranuleRecord | null): void {
    compareVersions(row, known, conflicts);
    const version = known?.version ?? 0;
    const stored = known?.data ?? null;
    const asked = changedFields(asking, row.data, stored);
    if (asked.length === 0) return void split.rows.push({ ...row, version });
    const rest = stored && withStored(row.data, stored, asked);
    const isWhole = !rest || check(rest, stored).refusals.length > 0;
    const changed = isWhole ? changedFields(all, row.data, stored) : asked;
    const base = valuesOf(stored ?? {}, changed);
    room.add(base);
    split.drafts.push({ key: row.key, baseVersion: version, base, values: valuesOf(row.data, changed) });
    if (rest && !isWhole && !isSameData(rest, stored)) split.rows.push({ ...row, data: rest, version });
  }

  const slice = new TimeSlice();
  const rows = lastOfEach(given);
  const next = rows.values();
  const keys = rows.map(({ key }) => key);
  for await (const page of lookUpPages(granules, kapsule.id, keys))
    for (const known of page) {
      const { value: row } = next.next();
      if (row) take(row, known);
      await slice.pause();
    }
  conflicts.end();
  return split;
}
