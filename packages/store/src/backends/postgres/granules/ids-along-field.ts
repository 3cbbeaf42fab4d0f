import type { GranulePageQuery } from '../../../granules.ts';
import {
  comparatorOf,
  mergedWith,
  pageOfEntries,
  type SortedEntry,
  skippedFor,
} from '../../shared/sorted-entries.ts';
import type { Session } from '../session.ts';
import { type EntryRow, entryOrder, RANKS, sortValueIn } from './field-entries.ts';
import { andCurrent, type UsableIndex } from './field-narrowing.ts';
import type { IdPage } from './rows-in-order.ts';
import { sampleRows } from './scan-window.ts';
import { type Selection, spanCondition } from './selection.ts';

type Entry = SortedEntry<string>;
const toEntry = (row: EntryRow): Entry => ({ row: row.id, value: sortValueIn(row) });

/** A page in the order of a field, along its index; granules that have changed since are sorted in. */
export async function idsAlongField(
  session: Session,
  selection: Selection,
  query: GranulePageQuery,
  index: UsableIndex,
  entry: string,
): Promise<IdPage> {
  const { descending, offset, limit } = query;
  const changed = await changedEntries(session, selection, index, entry, descending);
  if (!selection.isAll) return matchingIds(session, selection, query, index, changed);
  const skipped = skippedFor(offset, changed);
  const entries = await entriesFrom(session, selection, index, descending, skipped, offset - skipped + limit);
  return {
    ids: pageOfEntries(entries, changed, query, skipped),
    total: selection.total,
    totalIsExact: true,
    isPartial: false,
  };
}

async function changedEntries(
  session: Session,
  selection: Selection,
  { through }: UsableIndex,
  entry: string,
  descending: boolean,
): Promise<Entry[]> {
  const { kapsule, q, conditions } = selection;
  const rows = await session.all<EntryRow>(
    `SELECT g.id, e.* FROM kapsule_data.granules g CROSS JOIN LATERAL (${entry}) e
     WHERE g.kapsule = ${kapsule} AND g.change > ${through} AND ${spanCondition(selection)}
     AND strpos(g.search, $1) > 0${conditions}`,
    q,
  );
  return rows.map(toEntry).sort(comparatorOf(descending));
}

const current = ({ kapsule }: Selection, index: UsableIndex, rank: number) =>
  `f.number = ${index.number} AND f.rank = ${rank}${andCurrent(kapsule, index)}`;

/** Skips entries of the index alone. */
async function entriesFrom(
  session: Session,
  selection: Selection,
  index: UsableIndex,
  descending: boolean,
  offset: number,
  limit: number,
): Promise<Entry[]> {
  const found: Entry[] = [];
  let skip = offset;
  for (const rank of RANKS) {
    if (found.length >= limit) break;
    const from = `FROM kapsule_data.granule_fields f WHERE ${current(selection, index, rank)}`;
    const entries = await session.all<EntryRow>(
      `SELECT f.id, f.rank, f.amount, f.words ${from} ORDER BY ${entryOrder(descending)}
       LIMIT ${limit - found.length} OFFSET ${skip}`,
    );
    found.push(...entries.map(toEntry));
    if (entries.length > 0) skip = 0;
    else if (skip > 0)
      skip -= (await session.get<{ rows: number }>(`SELECT count(*) AS rows ${from}`))?.rows ?? 0;
  }
  return found;
}

/** Compares granule after granule along the index until the page is full or its time is over. */
async function matchingIds(
  session: Session,
  selection: Selection,
  { descending, offset, limit }: GranulePageQuery,
  index: UsableIndex,
  changed: readonly Entry[],
): Promise<IdPage> {
  const wanted = offset + limit + 1;
  let { window } = await sampleRows(session, selection);
  const entries: Entry[] = [];
  for (const rank of RANKS) {
    if (entries.length >= wanted || window <= 0) break;
    const order = entryOrder(descending);
    const walked = `SELECT f.* FROM kapsule_data.granule_fields f WHERE ${current(selection, index, rank)}
      ORDER BY ${order} LIMIT ${window}`;
    const hits = await session.all<EntryRow>(
      `SELECT f.id, f.rank, f.amount, f.words FROM (${walked}) f JOIN kapsule_data.granules g ON g.id = f.id
       WHERE ${spanCondition(selection)} AND strpos(g.search, $1) > 0${selection.conditions}
       ORDER BY ${order} LIMIT ${wanted - entries.length}`,
      selection.q,
    );
    entries.push(...hits.map(toEntry));
    if (entries.length < wanted)
      window -=
        (await session.get<{ rows: number }>(`SELECT count(*) AS rows FROM (${walked}) f`))?.rows ?? 0;
  }
  const ids = [...mergedWith(entries, changed, descending)].slice(0, wanted);
  const isFull = ids.length === wanted;
  const isEnd = window > 0 && entries.length < wanted;
  return {
    ids: ids.slice(offset, offset + limit),
    total: ids.length,
    totalIsExact: isEnd && !isFull,
    isPartial: !isEnd && !isFull,
  };
}
