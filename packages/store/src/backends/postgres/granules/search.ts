import type { GranulePageQuery } from '../../../granules.ts';
import type { Session } from '../session.ts';
import { SEARCH_LEAST_WALKED_ROWS, SEARCH_WALKED_ROWS, SORTED_HITS, SORTED_ROWS } from '../tuning.ts';
import { countByIndex, foundByField, selectiveNarrowing } from './found-by-field.ts';
import { foundByTrigrams, readIndexedThrough } from './found-rows.ts';
import { type IdPage, idsInOrder, pageOf, sourceOf } from './rows-in-order.ts';
import { sampleRows } from './scan-window.ts';
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

/**
 * Common word: a scan in the order of the page fills it soon. Rare word: the trigram index finds it. Without an index a page reads
 * only as many rows as its time allows.
 */
export async function searchIds(
  session: Session,
  selection: Selection,
  query: GranulePageQuery,
  hasTrigrams: boolean,
): Promise<IdPage> {
  const narrowing = await selectiveNarrowing(session, selection, SORTED_ROWS);
  if (narrowing)
    return idsAmong(session, query, foundByField(selection, narrowing, COLUMNS), [selection.q], SORTED_ROWS);
  const byTrigrams = hasTrigrams && isForTrigrams(selection);
  if (!isLarge(selection)) return foundIds(session, selection, query, byTrigrams, SORTED_ROWS);
  const hasConditions = selection.conditions !== '';
  if (!isEstimated(selection, query) && !hasConditions)
    return foundIds(session, selection, query, byTrigrams, SORTED_ROWS);
  const { share, window } = await sampleRows(session, selection);
  const rows = (query.offset + query.limit + 1) / share;
  // Twice the rows that it takes when hits lie evenly.
  const walked = Math.max(SEARCH_LEAST_WALKED_ROWS, Math.ceil(2 * rows));
  const page = walked <= SEARCH_WALKED_ROWS ? await walkedIds(session, selection, query, walked) : undefined;
  if (page && !page.isPartial) return withCount(session, selection, page);
  if (hasConditions && !byTrigrams)
    return withCount(session, selection, await walkedIds(session, selection, query, window));
  const isNearer = walked > SEARCH_WALKED_ROWS && rows < share * selection.total;
  return foundIds(session, selection, query, byTrigrams, isNearer || !byTrigrams ? SORTED_ROWS : SORTED_HITS);
}

async function withCount(session: Session, selection: Selection, page: IdPage): Promise<IdPage> {
  const counted = page.totalIsExact ? undefined : await countByIndex(session, selection);
  return counted && counted.total >= page.total ? { ...page, ...counted } : page;
}

/** Along another order the rows of a part lie among all others, so that the share says nothing. */
const isEstimated = (selection: Selection, { sort }: GranulePageQuery): boolean =>
  !selection.isOfDeleted && (!selection.isPart || isAlongChanges(sort));

const COLUMNS = `g.id, g.place, ${NAME}, g.created_at, g.change`;

/** The hits among the first rows in order; partial when they do not fill the page and there are more rows. */
async function walkedIds(
  session: Session,
  selection: Selection,
  query: GranulePageQuery,
  rows: number,
): Promise<IdPage> {
  const { sort, descending, offset, limit } = query;
  const { from, where, values } = sourceOf(selection, sort, descending);
  const order = orderOf(sort, descending);
  const found = await session.get<{ total: number; ids: string[] }>(
    `WITH hits AS MATERIALIZED (
       SELECT id, n FROM (
         SELECT g.id, g.search, g.data, g.change, row_number() OVER (ORDER BY ${order}) AS n FROM ${from}
         WHERE ${where} AND ${spanCondition(selection)} ORDER BY ${order} LIMIT ${rows}
       ) g WHERE strpos(g.search, $${values.length + 1}) > 0${selection.conditions}
     )
     SELECT (SELECT count(*) FROM hits) AS total,
       ARRAY(SELECT id FROM hits ORDER BY n LIMIT ${Math.trunc(limit)} OFFSET ${Math.trunc(offset)}) AS ids`,
    ...values,
    selection.q,
  );
  const { total = 0, ids = [] } = found ?? {};
  const totalIsExact = rows >= selection.total;
  return { ids, total, totalIsExact, isPartial: !totalIsExact && total <= offset + limit };
}

/** All hits, sorted; with more than `most` of them the page is looked for along the order. */
async function foundIds(
  session: Session,
  selection: Selection,
  query: GranulePageQuery,
  byTrigrams: boolean,
  most: number,
): Promise<IdPage> {
  const every = `
    SELECT ${COLUMNS} FROM kapsule_data.granules g
    WHERE g.kapsule = ${selection.kapsule} AND strpos(g.search, $1) > 0 AND ${spanCondition(selection)}${selection.conditions}`;
  const indexedThrough = byTrigrams ? await readIndexedThrough(session, selection.kapsule) : 0;
  const matches = byTrigrams ? foundByTrigrams(selection, indexedThrough, COLUMNS, '$2', '$1') : every;
  const values = [selection.q, ...(byTrigrams ? [patternOf(selection.q)] : [])];
  const found = await idsAmong(session, query, matches, values, most);
  return found.total <= most ? found : commonIds(session, selection, query, most);
}

/** The page of these hits, sorted; of no more than one above `most`. */
async function idsAmong(
  session: Session,
  query: GranulePageQuery,
  hits: string,
  values: unknown[],
  most: number,
): Promise<IdPage> {
  const found = await session.get<{ total: number; ids: string[] }>(
    `WITH hits AS MATERIALIZED (SELECT * FROM (${hits}) found LIMIT ${most + 1})
     SELECT (SELECT count(*) FROM hits) AS total, ARRAY(SELECT g.id FROM hits g ${pageOf(query)}) AS ids`,
    ...values,
  );
  return { ids: found?.ids ?? [], total: found?.total ?? 0, totalIsExact: true, isPartial: false };
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
    isPartial: false,
  };
}
