import type { Filter } from 'mongodb';
import type { GranulePage, GranulePageQuery } from '../../../granules.ts';
import type { Database } from '../database.ts';
import { isOutOfTime } from '../driver-errors.ts';
import type { State } from '../shapes.ts';
import { HIT_COUNTING_MS } from '../tuning.ts';
import { fieldPage } from './field-page.ts';
import { toRecord } from './records.ts';
import { isByField } from './scan.ts';
import { type Fitting, orderOf, select, statesThatFit } from './selection.ts';

const noRows: GranulePage = { rows: [], total: 0, totalIsExact: true, isCut: false, isPartial: false };

export async function readPage(
  database: Database,
  kapsuleId: string,
  query: GranulePageQuery,
): Promise<GranulePage> {
  const { sort, descending, offset, limit } = query;
  const counter = await database.counters.findOne({ _id: kapsuleId });
  // A deleted granule never counts as reloaded.
  if (!counter || (query.deleted && query.reloaded)) return noRows;
  if (isByField(query)) return fieldPage(database, counter, query);
  const { filter, total } = select(counter, query);
  const { states, isCut } =
    limit <= 0 || (total !== undefined && offset >= total) ? { states: [], isCut: false } : await read();
  const rows = states.map((state) => toRecord(state, counter));
  if (total !== undefined) return { rows, isCut, total, totalIsExact: true, isPartial: false };
  const counted = await count(database, filter, offset + rows.length + (isCut ? 1 : 0));
  return { rows, isCut, isPartial: false, ...counted };

  function read(): Promise<Fitting> {
    const cursor = database.states
      .find(filter, { projection: { search: 0 } })
      .sort(orderOf(sort, descending))
      .skip(offset)
      .limit(limit);
    return statesThatFit(cursor);
  }
}

async function count(
  database: Database,
  filter: Filter<State>,
  atLeast: number,
): Promise<{ total: number; totalIsExact: boolean }> {
  try {
    const total = await database.states.countDocuments(filter, { maxTimeMS: HIT_COUNTING_MS });
    return { total, totalIsExact: true };
  } catch (error) {
    if (!isOutOfTime(error)) throw error;
    return { total: atLeast, totalIsExact: false };
  }
}
