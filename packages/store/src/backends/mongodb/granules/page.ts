import type { Filter, FindCursor } from 'mongodb';
import { PageRoom } from '../../../errors.ts';
import { searchable } from '../../../folding.ts';
import type { GranuleFilter, GranulePage, GranulePageQuery, GranuleSort } from '../../../granules.ts';
import type { Database } from '../database.ts';
import { isOutOfTime } from '../driver-errors.ts';
import type { Counter, State } from '../shapes.ts';
import { statesVisibleAt, toRecord } from './records.ts';

/** Counting the hits of a search goes on this long. */
const COUNTING_MS = 100;

export interface Selected {
  filter: Filter<State>;
  /** Without a search it is kept; otherwise the hits must be counted. */
  total: number | undefined;
}

const noRows: GranulePage = { rows: [], total: 0, totalIsExact: true, isCut: false };

interface Fitting {
  states: State[];
  isCut: boolean;
}

/** The first states, as many as one answer may hold; the server sends at most 16 MB ahead. */
async function statesThatFit(cursor: FindCursor<State>): Promise<Fitting> {
  const states: State[] = [];
  const room = new PageRoom();
  for await (const state of cursor) {
    const { key, user, data } = state;
    // Leaving the loop closes the cursor.
    if (!room.takes(Buffer.byteLength(key + user) + Buffer.byteLength(data))) return { states, isCut: true };
    states.push(state);
  }
  return { states, isCut: false };
}

/** The states a filter leaves, as they were at the last change of these counters. */
export function select(counter: Counter, { q = '', reloaded, deleted = false }: GranuleFilter): Selected {
  const { total, reloadedThrough } = counter;
  const filter: Filter<State> = { ...statesVisibleAt(counter), dead: deleted };
  if (reloaded !== undefined && !deleted) {
    filter.change = reloaded ? { $lte: reloadedThrough } : { $gt: reloadedThrough };
  }
  const text = searchable(q);
  if (text !== '') return { filter: { ...filter, search: { $regex: escaped(text) } }, total: undefined };
  if (deleted) return { filter, total: counter.deleted };
  if (reloaded === undefined) return { filter, total };
  return { filter, total: reloaded ? counter.reloaded : total - counter.reloaded };
}

/** No character means anything to the regular expression. */
const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/#-]/g, String.raw`\$&`);

export async function readPage(
  database: Database,
  kapsuleId: string,
  query: GranulePageQuery,
): Promise<GranulePage> {
  const { sort, descending, offset, limit } = query;
  const counter = await database.counters.findOne({ _id: kapsuleId });
  // A deleted granule never counts as reloaded.
  if (!counter || (query.deleted && query.reloaded)) return noRows;
  const { filter, total } = select(counter, query);
  const { states, isCut } =
    limit <= 0 || (total !== undefined && offset >= total) ? { states: [], isCut: false } : await read();
  const rows = states.map((state) => toRecord(state, counter));
  if (total !== undefined) return { rows, isCut, total, totalIsExact: true };
  return { rows, isCut, ...(await count(database, filter, offset + rows.length + (isCut ? 1 : 0))) };

  function read(): Promise<Fitting> {
    const cursor = database.states
      .find(filter, { projection: { search: 0 } })
      .sort(orderOf(sort, descending))
      .skip(offset)
      .limit(limit);
    return statesThatFit(cursor);
  }
}

/** Not reloaded comes before reloaded, so that order is the order of changes backwards. */
function orderOf(sort: GranuleSort, descending: boolean): Record<string, 1 | -1> {
  const isUp = sort === 'reloaded' ? descending : !descending;
  const direction = isUp ? 1 : -1;
  if (sort === 'reloaded' || sort === 'updatedAt') return { change: direction };
  return { [sort]: direction, id: direction };
}

async function count(
  database: Database,
  filter: Filter<State>,
  atLeast: number,
): Promise<{ total: number; totalIsExact: boolean }> {
  try {
    const total = await database.states.countDocuments(filter, { maxTimeMS: COUNTING_MS });
    return { total, totalIsExact: true };
  } catch (error) {
    if (!isOutOfTime(error)) throw error;
    return { total: atLeast, totalIsExact: false };
  }
}
