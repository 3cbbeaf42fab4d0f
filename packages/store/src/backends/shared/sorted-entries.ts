import { compareSortValues, type SortValue } from '@kaptain/contract/field-conditions';

/** A granule and the value it is sorted by. */
export interface SortedEntry<Row extends number | string> {
  row: Row;
  value: SortValue;
}

/** Granules of the same value follow each other by their rows, in the same direction. */
export const comparatorOf =
  <Row extends number | string>(descending: boolean) =>
  (a: SortedEntry<Row>, b: SortedEntry<Row>): number =>
    compareSortValues(a.value, b.value, descending) || (a.row < b.row !== descending ? -1 : 1);

/** How many entries of an index can be skipped for a page, when changed granules may come between any of them. */
export const skippedFor = (offset: number, changed: readonly unknown[]) =>
  Math.max(0, offset - changed.length);

/** The page of an order that consists of the entries of an index, those after the `skipped` first ones, and of changed granules. */
export function pageOfEntries<Row extends number | string>(
  entries: readonly SortedEntry<Row>[],
  changed: readonly SortedEntry<Row>[],
  { descending, offset, limit }: { descending: boolean; offset: number; limit: number },
  skipped: number,
): Row[] {
  const compare = comparatorOf<Row>(descending);
  const [first] = entries;
  if (!first && skipped > 0) return [];
  // Changed granules before the first entry are behind skipped ones.
  const before = first && skipped > 0 ? changed.filter((row) => compare(row, first) < 0).length : 0;
  const start = offset - skipped - before;
  return [...mergedWith(entries, changed.slice(before), descending)].slice(start, start + limit);
}

/** Both in order. */
export function* mergedWith<Row extends number | string>(
  entries: Iterable<SortedEntry<Row>>,
  changed: readonly SortedEntry<Row>[],
  descending: boolean,
): Generator<Row> {
  const compare = comparatorOf<Row>(descending);
  const left = changed.values();
  let next = left.next();
  for (const entry of entries) {
    for (; !next.done && compare(next.value, entry) < 0; next = left.next()) yield next.value.row;
    yield entry.row;
  }
  for (; !next.done; next = left.next()) yield next.value.row;
}
