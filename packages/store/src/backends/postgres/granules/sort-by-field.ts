import type { SortField } from '@kaptain/contract/field-conditions';
import type { GranulePageQuery } from '../../../granules.ts';
import type { Session } from '../session.ts';
import { FIELD_WALKED_ROWS, SORTED_ROWS } from '../tuning.ts';
import { applySettings, sortSql } from './field-conditions.ts';
import { indexOf } from './field-narrowing.ts';
import { countByIndex, foundByField, selectiveNarrowing } from './found-by-field.ts';
import { foundByTrigrams, readIndexedThrough } from './found-rows.ts';
import { idsAlongField } from './ids-along-field.ts';
import { type IdPage } from './rows-in-order.ts';
import { sampleRows } from './scan-window.ts';
import { isForTrigrams, isLarge, patternOf, type Selection, spanCondition } from './selection.ts';

export async function idsByField(
  session: Session,
  selection: Selection,
  query: GranulePageQuery,
  field: SortField,
  hasTrigrams: boolean,
): Promise<IdPage> {
  const { entry, settings } = sortSql(field, selection.settings);
  await applySettings(session, settings);
  const narrowing = await selectiveNarrowing(session, selection, SORTED_ROWS);
  if (narrowing)
    return idsSorted(session, selection, query, entry, foundByField(selection, narrowing, 'g.*'));
  const byTrigrams = hasTrigrams && isForTrigrams(selection);
  const isRare = byTrigrams && !(await isCommon(session, selection, query));
  const index = isRare ? undefined : indexOf(selection.indexes, field);
  const page = index
    ? await idsAlongField(session, selection, query, index, entry)
    : await idsOfWindow(session, selection, query, entry, byTrigrams);
  const counted = page.totalIsExact ? undefined : await countByIndex(session, selection);
  return counted && counted.total >= page.total ? { ...page, ...counted } : page;
}

/** A word that fills the page after few rows of any order; trigrams find the others sooner. */
async function isCommon(
  session: Session,
  selection: Selection,
  { offset, limit }: GranulePageQuery,
): Promise<boolean> {
  const { share } = await sampleRows(session, selection);
  return (offset + limit) / share <= FIELD_WALKED_ROWS;
}

/** Sorts the matching rows, as many as the time of a page allows: those that were changed last. */
async function idsOfWindow(
  session: Session,
  selection: Selection,
  query: GranulePageQuery,
  entry: string,
  byTrigrams: boolean,
): Promise<IdPage> {
  const { kapsule, q, conditions, total, isAll } = selection;
  if (byTrigrams) {
    const through = await readIndexedThrough(session, kapsule);
    const found = foundByTrigrams(selection, through, 'g.*', '$2', '$1');
    return idsSorted(session, selection, query, entry, found, [patternOf(q)]);
  }
  const computed = `(SELECT e.rank FROM (${entry}) e)`;
  const window = isLarge(selection) ? (await sampleRows(session, selection, computed)).window : total;
  const rows = `
    SELECT * FROM (
      SELECT * FROM kapsule_data.granules g WHERE g.kapsule = ${kapsule} AND ${spanCondition(selection)}
      ORDER BY g.change DESC LIMIT ${window}
    ) g WHERE strpos(g.search, $1) > 0${conditions}`;
  const page = await idsSorted(session, selection, query, entry, rows);
  if (window >= total) return page;
  return { ...page, ...(isAll ? { total } : { totalIsExact: false }), isPartial: true };
}

async function idsSorted(
  session: Session,
  { q }: Selection,
  { descending, limit, offset }: GranulePageQuery,
  entry: string,
  rows: string,
  values: unknown[] = [],
): Promise<IdPage> {
  const direction = descending ? 'DESC' : 'ASC';
  const found = await session.get<{ total: number; ids: string[] }>(
    `WITH hits AS MATERIALIZED (SELECT g.id, e.* FROM (${rows}) g CROSS JOIN LATERAL (${entry}) e)
     SELECT (SELECT count(*) FROM hits) AS total, ARRAY(
       SELECT id FROM hits ORDER BY rank, amount ${direction}, words ${direction}, id ${direction}
       LIMIT ${Math.trunc(limit)} OFFSET ${Math.trunc(offset)}
     ) AS ids`,
    q,
    ...values,
  );
  return { ids: found?.ids ?? [], total: found?.total ?? 0, totalIsExact: true, isPartial: false };
}
