import { fieldsTest, sortValueOf } from '@kaptain/contract/field-conditions';
import type { GranulePage, GranulePageQuery } from '../../../granules.ts';
import { TimeSlice } from '../../../time-slice.ts';
import { ScanBudget } from '../../shared/scan-budget.ts';
import { SortedRows } from '../../shared/sorted-rows.ts';
import type { Database } from '../database.ts';
import type { Counter, State } from '../shapes.ts';
import { HIT_COUNTING_MS, SCAN_BATCH_ROWS } from '../tuning.ts';
import { toRecord } from './records.ts';
import { orderOf, select, statesThatFit } from './selection.ts';

/** Data is JSON text, which the server can't look into: these pages need an index of the field, or read granules. */
export const isByField = ({ where = [], sortField }: GranulePageQuery): boolean =>
  where.length > 0 || sortField !== undefined;

/** Granules of a page by their ids, in order. */
export interface Hits {
  ids: string[];
  total: number;
  totalIsExact: boolean;
  isPartial: boolean;
}

type Row = Pick<State, 'id' | 'data'>;
const parsed = ({ data }: Row) => JSON.parse(data) as Record<string, unknown>;

/** Reads granules, of these states if any are given. */
export async function scanPage(
  database: Database,
  counter: Counter,
  query: GranulePageQuery,
  among?: readonly string[],
): Promise<GranulePage> {
  const { filter } = select(counter, query);
  const rows = database.states
    .find(among ? { ...filter, _id: { $in: [...among] } } : filter, {
      projection: { _id: 0, id: 1, data: 1 },
    })
    .sort(query.sortField ? { change: 1 } : orderOf(query.sort, query.descending))
    .batchSize(SCAN_BATCH_ROWS) as unknown as AsyncIterable<Row>;
  const hits = await (query.sortField ? sorted(rows, query) : inOrder(rows, query));
  return pageOfHits(database, counter, query, hits);
}

export async function pageOfHits(
  database: Database,
  counter: Counter,
  query: GranulePageQuery,
  { ids, ...totals }: Hits,
): Promise<GranulePage> {
  const { filter } = select(counter, query);
  const found = database.states.find({ ...filter, id: { $in: ids } }, { projection: { search: 0 } });
  const byId = new Map<string, State>();
  for await (const state of found) byId.set(state.id, state);
  async function* states() {
    for (const id of ids) {
      const state = byId.get(id);
      if (state) yield state;
    }
  }
  const { states: fitting, isCut } = await statesThatFit(states());
  return { ...totals, rows: fitting.map((state) => toRecord(state, counter)), isCut };
}

/** Reads until the page is full, and counts for a while. */
async function inOrder(
  rows: AsyncIterable<Row>,
  { where = [], offset, limit }: GranulePageQuery,
): Promise<Hits> {
  const isWanted = fieldsTest(where);
  const slice = new TimeSlice();
  const budget = new ScanBudget();
  const ids: string[] = [];
  let total = 0;
  let fullAt = Number.POSITIVE_INFINITY;
  for await (const row of rows) {
    await slice.pause();
    const isFull = total > offset + limit;
    if (isFull ? performance.now() - fullAt > HIT_COUNTING_MS : budget.isSpent())
      return { ids, total, totalIsExact: false, isPartial: !isFull };
    if (!isWanted(parsed(row))) continue;
    total += 1;
    if (total > offset && ids.length < limit) ids.push(row.id);
    // One hit more than the page shows that there is a next one.
    if (total === offset + limit + 1) fullAt = performance.now();
  }
  return { ids, total, totalIsExact: true, isPartial: false };
}

/** Reads every row, as many as the time allows. */
async function sorted(
  rows: AsyncIterable<Row>,
  { where = [], sortField, descending, offset, limit }: GranulePageQuery,
): Promise<Hits> {
  const isWanted = fieldsTest(where);
  const slice = new TimeSlice();
  const budget = new ScanBudget();
  const order = new SortedRows<string>(offset + limit, descending);
  let isPartial = false;
  for await (const row of rows) {
    await slice.pause();
    const data = parsed(row);
    if (sortField && isWanted(data)) order.add(sortValueOf(sortField, data), row.id);
    isPartial = budget.isSpent();
    if (isPartial) break;
  }
  const ids = order.slice(offset, offset + limit);
  return { ids, total: order.added, totalIsExact: !isPartial, isPartial };
}
