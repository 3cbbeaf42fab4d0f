import type { GranulePageQuery } from '../../../granules.ts';
import type { Session } from '../session.ts';
import { SORTED_ROWS } from '../tuning.ts';
import { idsOf, pageOf, sourceOf } from './rows-in-order.ts';
import { isAlongChanges, orderOf, type Selection } from './selection.ts';

/**
 * A page whose skipped rows are counted in an index alone; undefined where no index has all that is needed. PostgreSQL
 * counts 100,000 entries of an index in about 15 ms, and needs ten times as long to look at their rows.
 */
export async function idsByIndexAlone(
  session: Session,
  selection: Selection,
  page: GranulePageQuery,
): Promise<string[] | undefined> {
  const { isPart, isOfDeleted, deleted } = selection;
  if (isAlongChanges(page.sort)) {
    if (isOfDeleted) return besideDeleted(session, selection, page, 0);
    return deleted <= SORTED_ROWS ? besideDeleted(session, selection, page, deleted) : undefined;
  }
  if (isPart) return undefined;
  if (page.sort === 'key')
    return deleted <= SORTED_ROWS ? besideDeleted(session, selection, page, deleted) : undefined;
  return amongLiving(session, selection, page);
}

/** The index has living rows only, and the id. */
function amongLiving(session: Session, selection: Selection, page: GranulePageQuery): Promise<string[]> {
  const { from, where, values } = sourceOf(selection, page.sort, page.descending);
  const sql = `SELECT g.id FROM ${from} WHERE ${where} AND g.deleted_at IS NULL ${pageOf(page)}`;
  return idsOf(session, sql, values);
}

/**
 * The index has deleted rows as well, which are few. So the entries behind the skipped ones are read, as many more as
 * rows are deleted: those that are deleted are left out, and a row is skipped for each deleted one before them.
 */
function besideDeleted(
  session: Session,
  selection: Selection,
  { sort, descending, limit, offset }: GranulePageQuery,
  deleted: number,
): Promise<string[]> {
  const column = sort === 'key' ? 'place' : 'change';
  const order = orderOf(sort, descending);
  const isUp = order.endsWith('ASC');
  const { where, values } = sourceOf(selection, sort, descending);
  const span = `g.change > ${selection.after} AND g.change <= ${selection.through}`;
  const all = sort === 'key' ? where : `${where} AND ${span}`;
  const kind = selection.isOfDeleted ? 'AND g.deleted_at IS NOT NULL' : '';
  const wide = `
    SELECT g.${column} FROM kapsule_data.granules g WHERE ${all} ${kind}
    ORDER BY ${order} LIMIT ${Math.trunc(limit) + deleted} OFFSET ${Math.trunc(offset)}`;
  const rowsOf = (page: string) => `
    SELECT g.id FROM (${page}) page JOIN kapsule_data.granules g
    ON g.${column} = page.${column} ${sort === 'key' ? '' : 'AND g.kapsule = $1'} ORDER BY page.${column} ${isUp ? 'ASC' : 'DESC'}`;
  if (deleted === 0) return idsOf(session, rowsOf(wide), values);
  return idsOf(
    session,
    `WITH wide AS MATERIALIZED (${wide}), gone AS MATERIALIZED (
       SELECT g.${column} FROM kapsule_data.granules g
       WHERE g.kapsule = ${selection.kapsule} AND g.deleted_at IS NOT NULL AND ${span}
     )
     ${rowsOf(`
       SELECT g.${column} FROM wide g WHERE g.${column} NOT IN (SELECT ${column} FROM gone) ORDER BY ${order}
       LIMIT ${Math.trunc(limit)} OFFSET (
         SELECT count(*) FROM gone
         WHERE ${column} ${isUp ? '<' : '>'} (SELECT ${isUp ? 'min' : 'max'}(${column}) FROM wide)
       )`)}`,
    values,
  );
}
