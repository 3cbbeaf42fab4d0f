import type { GranulePageQuery } from '../../../granules.ts';
import type { Session } from '../session.ts';
import { foundByTrigrams, readIndexedThrough } from './found-rows.ts';
import { FEW, type IdPage, idsInOrder, pageOf, sourceOf } from './rows-in-order.ts';
import {
  isAlongChanges,
  isForTrigrams,
  isLarge,
  NAME,
  orderOf,
  patternOf,
  type Selection,
  spanCondition,
} from './selection.ts';

/** The share of hits is estimated by so many runs of rows that lie together. */
const RUNS = 40;
const RUN_ROWS = 25;
/** Looking at that many rows in order takes less than asking the index for a common word. */
const MOST_WALKED = 40_000;
const LEAST_WALKED = 5_000;
/** Up to here all hits are fetched and sorted where walking along the order would take longer. */
const MANY = 100_000;

/** A common word is met along the order soon; the index of trigrams is for rare ones, and for those that lie elsewhere. */
export async function searchIds(
  session: Session,
  selection: Selection,
  query: GranulePageQuery,
  hasTrigrams: boolean,
): Promise<IdPage> {
  const byTrigrams = hasTrigrams && isForTrigrams(selection);
  if (!isEstimated(selection, query)) return foundIds(session, selection, query, byTrigrams, FEW);
  const share = await shareOfHits(session, selection);
  const rows = (query.offset + query.limit + 1) / share;
  // Twice the rows that it takes when hits lie evenly.
  const walked = Math.max(LEAST_WALKED, Math.ceil(2 * rows));
  const page = walked <= MOST_WALKED ? await walkedIds(session, selection, query, walked) : undefined;
  if (page) return page;
  const isNearer = walked > MOST_WALKED && rows < share * selection.total;
  return foundIds(session, selection, query, byTrigrams, isNearer || !byTrigrams ? FEW : MANY);
}

/** Along another order the rows of a part lie among all others, so that the share says nothing. */
const isEstimated = (selection: Selection, { sort }: GranulePageQuery): boolean =>
  isLarge(selection) && !selection.isOfDeleted && (!selection.isPart || isAlongChanges(sort));

async function shareOfHits(
  session: Session,
  { kapsule, after, through, q, conditions }: Selection,
): Promise<number> {
  const step = (through - after) / RUNS;
  const starts = Array.from({ length: RUNS }, (_, run) => Math.trunc(after + run * step));
  const sample = await session.get<{ rows: number; hits: number }>(
    `SELECT count(*) AS rows, count(*) FILTER (WHERE strpos(g.search, $2) > 0${conditions}) AS hits
     FROM unnest($3::bigint[]) start CROSS JOIN LATERAL (
       SELECT g.search, g.data FROM kapsule_data.granules g
       WHERE g.kapsule = $1 AND g.change > start AND g.change <= ${through} AND g.deleted_at IS NULL
       ORDER BY g.change LIMIT ${RUN_ROWS}
     ) g`,
    kapsule,
    q,
    starts,
  );
  return sample && sample.rows > 0 ? sample.hits / sample.rows : 0;
}

/** The hits among the first rows in order; undefined when they do not fill the page. */
async function walkedIds(
  session: Session,
  selection: Selection,
  query: GranulePageQuery,
  rows: number,
): Promise<IdPage | undefined> {
  const { sort, descending, offset, limit } = query;
  const { from, where, values } = sourceOf(selection, sort, descending);
  const order = orderOf(sort, descending);
  const found = await session.get<{ total: number; ids: string[] }>(
    `WITH hits AS MATERIALIZED (
       SELECT id, n FROM (
         SELECT g.id, g.search, g.data, row_number() OVER (ORDER BY ${order}) AS n FROM ${from}
         WHERE ${where} AND ${spanCondition(selection)} ORDER BY ${order} LIMIT ${rows}
       ) g WHERE strpos(g.search, $${values.length + 1}) > 0${selection.conditions}
     )
     SELECT (SELECT count(*) FROM hits) AS total,
       ARRAY(SELECT id FROM hits ORDER BY n LIMIT ${Math.trunc(limit)} OFFSET ${Math.trunc(offset)}) AS ids`,
    ...values,
    selection.q,
  );
  const totalIsExact = rows >= selection.total;
  return found && (totalIsExact || found.total > offset + limit) ? { ...found, totalIsExact } : undefined;
}

/** All hits, sorted; with more than `most` of them the page is looked for along the order. */
async function foundIds(
  session: Session,
  selection: Selection,
  query: GranulePageQuery,
  byTrigrams: boolean,
  most: number,
): Promise<IdPage> {
  const columns = `g.id, g.place, ${NAME}, g.created_at, g.change`;
  const every = `
    SELECT ${columns} FROM kapsule_data.granules g
    WHERE g.kapsule = ${selection.kapsule} AND strpos(g.search, $1) > 0 AND ${spanCondition(selection)}${selection.conditions}`;
  const indexedThrough = byTrigrams ? await readIndexedThrough(session, selection.kapsule) : 0;
  const matches = byTrigrams ? foundByTrigrams(selection, indexedThrough, columns, '$2', '$1') : every;
  const found = await session.get<{ total: number; ids: string[] }>(
    `WITH hits AS MATERIALIZED (SELECT * FROM (${matches}) found LIMIT ${most + 1})
     SELECT (SELECT count(*) FROM hits) AS total, ARRAY(SELECT g.id FROM hits g ${pageOf(query)}) AS ids`,
    selection.q,
    ...(byTrigrams ? [patternOf(selection.q)] : []),
  );
  if (found && found.total <= most) return { ...found, totalIsExact: true };
  return commonIds(session, selection, query, most);
}

/** One hit more than the page tells that there is a next one; counting them all would take too long. */
async function commonIds(
  session: Session,
  selection: Selection,
  query: GranulePageQuery,
  least: number,
): Promise<IdPage> {
  const { offset, limit } = query;
  const ids = await idsInOrder(session, selection, { ...query, limit: limit + 1 });
  const isEnd = ids.length <= limit && ids.length > 0;
  return {
    ids: ids.slice(0, limit),
    total: isEnd ? offset + ids.length : Math.max(least + 1, ids.length === 0 ? 0 : offset + ids.length),
    totalIsExact: isEnd,
  };
}
