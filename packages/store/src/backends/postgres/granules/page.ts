import type { GranulePage, GranulePageQuery } from '../../../granules.ts';
import type { Session } from '../session.ts';
import { endOf, prefixOf } from './input.ts';
import { readRecords } from './records.ts';
import {
  isAlongChanges,
  isForTrigrams,
  orderOf,
  patternOf,
  type Selection,
  select,
  spanCondition,
} from './selection.ts';

/** Rows of a page by their ids, in order. */
interface IdPage {
  ids: string[];
  total: number;
  totalIsExact: boolean;
}

/** Up to here all rows of a span, or all hits of a search, are fetched and sorted; with more, an index has the order. */
const FEW = 10_000;

/** Inside a snapshot, so that the rows fit their number. */
export async function readPage(
  session: Session,
  kapsuleId: string,
  query: GranulePageQuery,
  hasTrigrams: boolean,
): Promise<GranulePage> {
  const selection = await select(session, kapsuleId, query);
  if (!selection) return { rows: [], total: 0, totalIsExact: true, isCut: false };
  const { ids, ...totals } = await (selection.q === ''
    ? allIds(session, selection, query)
    : foundIds(session, selection, query, hasTrigrams));
  const rows = await readRecords(session, ids);
  return { ...totals, rows, isCut: rows.length < ids.length };
}

/** Skips from the nearer end. */
async function allIds(session: Session, selection: Selection, query: GranulePageQuery): Promise<IdPage> {
  const { total } = selection;
  const limit = Math.max(0, Math.min(query.limit, total - query.offset));
  if (limit === 0) return { ids: [], total, totalIsExact: true };
  const fromEnd = query.offset > total / 2;
  const page = {
    ...query,
    limit,
    offset: fromEnd ? total - query.offset - limit : query.offset,
    descending: query.descending !== fromEnd,
  };
  const isSortedHere = selection.isPart && !isAlongChanges(query.sort) && total <= FEW;
  const ids = await (isSortedHere
    ? idsSorted(session, selection, page)
    : idsInOrder(session, selection, page));
  return { ids: fromEnd ? ids.toReversed() : ids, total, totalIsExact: true };
}

/** Along the index that has the order. */
async function idsInOrder(
  session: Session,
  selection: Selection,
  query: GranulePageQuery,
): Promise<string[]> {
  const { kapsule, q } = selection;
  const values: unknown[] = query.sort === 'key' ? [prefixOf(kapsule), endOf(kapsule)] : [kapsule];
  const place = query.sort === 'key' ? 'g.place >= $1 AND g.place < $2' : 'g.kapsule = $1';
  if (q !== '') values.push(q);
  const match = q === '' ? '' : `AND strpos(g.search, $${values.length}) > 0`;
  return idsOf(
    session,
    `SELECT g.id FROM kapsule_data.granules g WHERE ${place} AND ${spanCondition(selection)} ${match} ${pageOf(query)}`,
    values,
  );
}

/** The few rows of a span lie together in the order of changes. */
function idsSorted(session: Session, selection: Selection, query: GranulePageQuery): Promise<string[]> {
  return idsOf(
    session,
    `WITH span AS MATERIALIZED (
       SELECT g.id, g.place, g."user", g.created_at, g.change FROM kapsule_data.granules g
       WHERE g.kapsule = $1 AND ${spanCondition(selection)} ORDER BY g.change
     )
     SELECT g.id FROM span g ${pageOf(query)}`,
    [selection.kapsule],
  );
}

function pageOf({ sort, descending, limit, offset }: GranulePageQuery): string {
  return `ORDER BY ${orderOf(sort, descending)} LIMIT ${Math.trunc(limit)} OFFSET ${Math.trunc(offset)}`;
}

async function idsOf(session: Session, sql: string, values: unknown[]): Promise<string[]> {
  return (await session.all<{ id: string }>(sql, ...values)).map(({ id }) => id);
}

async function foundIds(
  session: Session,
  selection: Selection,
  query: GranulePageQuery,
  hasTrigrams: boolean,
): Promise<IdPage> {
  const byTrigrams = hasTrigrams && isForTrigrams(selection);
  // The sum keeps the planner from looking at every row of the kapsule after all.
  const match = byTrigrams
    ? 'g.kapsule + 0 = $1 AND g.search LIKE $2'
    : 'g.kapsule = $1 AND strpos(g.search, $2) > 0';
  const found = await session.get<{ total: number; ids: string[] }>(
    `WITH hits AS MATERIALIZED (
       SELECT g.id, g.place, g."user", g.created_at, g.change FROM kapsule_data.granules g
       WHERE ${match} AND ${spanCondition(selection)} LIMIT ${FEW + 1}
     )
     SELECT (SELECT count(*) FROM hits) AS total, ARRAY(SELECT g.id FROM hits g ${pageOf(query)}) AS ids`,
    selection.kapsule,
    byTrigrams ? patternOf(selection.q) : selection.q,
  );
  if (found && found.total <= FEW) return { ...found, totalIsExact: true };
  return commonIds(session, selection, query);
}

/** One hit more than the page shows that there is a next one; counting all hits would take too long. */
async function commonIds(session: Session, selection: Selection, query: GranulePageQuery): Promise<IdPage> {
  const { offset, limit } = query;
  const ids = await idsInOrder(session, selection, { ...query, limit: limit + 1 });
  const isEnd = ids.length <= limit && ids.length > 0;
  return {
    ids: ids.slice(0, limit),
    total: isEnd ? offset + ids.length : Math.max(FEW + 1, ids.length === 0 ? 0 : offset + ids.length),
    totalIsExact: isEnd,
  };
}
