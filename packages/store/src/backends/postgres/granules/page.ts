import type { GranulePage, GranulePageQuery, SortField } from '../../../granules.ts';
import { fromNearerEnd } from '../../shared/nearer-end.ts';
import type { Session } from '../session.ts';
import { SORTED_ROWS } from '../tuning.ts';
import { readRecords } from './records.ts';
import { type IdPage, idsInOrder, idsOf, pageOf } from './rows-in-order.ts';
import { searchIds } from './search.ts';
import { isAlongChanges, NAME, type Selection, select, spanCondition } from './selection.ts';
import { idsByIndexAlone } from './skip.ts';
import { idsByField } from './sort-by-field.ts';

/** Inside a snapshot, so that the rows fit their number. */
export async function readPage(
  session: Session,
  kapsuleId: string,
  query: GranulePageQuery,
  hasTrigrams: boolean,
): Promise<GranulePage & { fieldsToNote: SortField[] }> {
  const selection = await select(session, kapsuleId, query);
  if (!selection)
    return { rows: [], total: 0, totalIsExact: true, isCut: false, isPartial: false, fieldsToNote: [] };
  const { ids, ...totals } = await idPage(session, selection, query, hasTrigrams);
  const rows = await readRecords(session, ids);
  const { fieldsToNote } = selection;
  return { ...totals, rows, isCut: rows.length < ids.length, fieldsToNote };
}

function idPage(
  session: Session,
  selection: Selection,
  query: GranulePageQuery,
  hasTrigrams: boolean,
): Promise<IdPage> {
  if (query.sortField) return idsByField(session, selection, query, query.sortField, hasTrigrams);
  return selection.q === '' && selection.conditions === ''
    ? allIds(session, selection, query)
    : searchIds(session, selection, query, hasTrigrams);
}

/** Skips from the nearer end. */
async function allIds(session: Session, selection: Selection, query: GranulePageQuery): Promise<IdPage> {
  const { total } = selection;
  const { range: page, isReversed } = fromNearerEnd(query, total);
  if (page.limit === 0) return { ids: [], total, totalIsExact: true, isPartial: false };
  const isSortedHere = selection.isPart && !isAlongChanges(query.sort) && total <= SORTED_ROWS;
  const ids = isSortedHere
    ? await idsSorted(session, selection, page)
    : ((await idsByIndexAlone(session, selection, page)) ?? (await idsInOrder(session, selection, page)));
  return { ids: isReversed ? ids.toReversed() : ids, total, totalIsExact: true, isPartial: false };
}

/** The few rows of a span lie together in the order of changes. */
function idsSorted(session: Session, selection: Selection, query: GranulePageQuery): Promise<string[]> {
  return idsOf(
    session,
    `WITH span AS MATERIALIZED (
       SELECT g.id, g.place, ${NAME}, g.created_at, g.change FROM kapsule_data.granules g
       WHERE g.kapsule = $1 AND ${spanCondition(selection)} ORDER BY g.change
     )
     SELECT g.id FROM span g ${pageOf(query)}`,
    [selection.kapsule],
  );
}
