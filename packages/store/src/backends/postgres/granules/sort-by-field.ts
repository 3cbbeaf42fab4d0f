import type { SortField } from '@kaptain/contract/field-conditions';
import type { GranulePageQuery } from '../../../granules.ts';
import type { Session } from '../session.ts';
import { applySettings, sortSql } from './field-conditions.ts';
import { foundByTrigrams, readIndexedThrough } from './found-rows.ts';
import type { IdPage } from './rows-in-order.ts';
import { isForTrigrams, patternOf, type Selection, spanCondition } from './selection.ts';

/** Reads every matching row: no index has the values of fields. */
export async function idsByField(
  session: Session,
  selection: Selection,
  { descending, limit, offset }: GranulePageQuery,
  field: SortField,
  hasTrigrams: boolean,
): Promise<IdPage> {
  const { value, settings } = sortSql(field, selection.settings);
  await applySettings(session, settings);
  const byTrigrams = hasTrigrams && isForTrigrams(selection);
  const rows = byTrigrams
    ? foundByTrigrams(
        selection,
        await readIndexedThrough(session, selection.kapsule),
        `g.id, ${value} AS value`,
        '$2',
        '$1',
      )
    : `SELECT g.id, ${value} AS value FROM kapsule_data.granules g WHERE g.kapsule = ${selection.kapsule}
       AND ($1 = '' OR strpos(g.search, $1) > 0) AND ${spanCondition(selection)}${selection.conditions}`;
  const direction = descending ? 'DESC' : 'ASC';
  const found = await session.get<{ total: number; ids: string[] }>(
    `WITH hits AS MATERIALIZED (${rows})
     SELECT (SELECT count(*) FROM hits) AS total, ARRAY(
       SELECT id FROM hits ORDER BY value IS NULL, value ${direction}, id
       LIMIT ${Math.trunc(limit)} OFFSET ${Math.trunc(offset)}
     ) AS ids`,
    selection.q,
    ...(byTrigrams ? [patternOf(selection.q)] : []),
  );
  return { ids: found?.ids ?? [], total: found?.total ?? 0, totalIsExact: true };
}
