import { textInAnyField } from '@kaptain/contract/field-conditions';
import type { Filter } from 'mongodb';
import { PageRoom } from '../../../errors.ts';
import { searchable } from '../../../folding.ts';
import type { GranuleFilter, GranuleSort } from '../../../granules.ts';
import type { Counter, State } from '../shapes.ts';
import { statesVisibleAt } from './records.ts';

interface Selected {
  filter: Filter<State>;
  /** Without a search it is kept; otherwise the hits must be counted. */
  total: number | undefined;
}

/** The states a filter leaves, as they were at the last change of these counters. */
export function select(
  counter: Counter,
  { q = '', reloaded, deleted = false, where = [] }: GranuleFilter,
): Selected {
  const { total, reloadedThrough } = counter;
  const filter: Filter<State> = { ...statesVisibleAt(counter), dead: deleted };
  if (reloaded !== undefined && !deleted) {
    filter.change = reloaded ? { $lte: reloadedThrough } : { $gt: reloadedThrough };
  }
  // The text of a condition is in the search text too: the server need not send the other rows.
  const text = searchable(q === '' ? textInAnyField(where) : q);
  if (text !== '') return { filter: { ...filter, search: { $regex: escaped(text) } }, total: undefined };
  if (deleted) return { filter, total: counter.deleted };
  if (reloaded === undefined) return { filter, total };
  return { filter, total: reloaded ? counter.reloaded : total - counter.reloaded };
}

/** No character means anything to the regular expression. */
const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/#-]/g, String.raw`\$&`);

/** Not reloaded comes before reloaded, so that order is the order of changes backwards. */
export function orderOf(sort: GranuleSort, descending: boolean): Record<string, 1 | -1> {
  const isUp = sort === 'reloaded' ? descending : !descending;
  const direction = isUp ? 1 : -1;
  if (sort === 'reloaded' || sort === 'updatedAt') return { change: direction };
  return { [sort]: direction, id: direction };
}

export interface Fitting {
  states: State[];
  isCut: boolean;
}

/** The first states, as many as one answer may hold; the server sends at most 16 MB ahead. */
export async function statesThatFit(cursor: AsyncIterable<State>): Promise<Fitting> {
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
