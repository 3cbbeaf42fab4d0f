import type { GranulePageQuery, GranuleSort } from '../../../granules.ts';
import type { Session } from '../session.ts';
import { endOf, prefixOf } from './input.ts';
import { NAME, orderOf, type Selection, spanCondition } from './selection.ts';

/** Rows of a page by their ids, in order. */
export interface IdPage {
  ids: string[];
  total: number;
  totalIsExact: boolean;
  /** The scan has ended before all rows were looked at. */
  isPartial: boolean;
}

/** The rows of a kapsule, as the index of the order knows them. */
interface Source {
  from: string;
  where: string;
  values: unknown[];
}

export function sourceOf(
  { kapsule, isOfDeleted }: Selection,
  sort: GranuleSort,
  descending: boolean,
): Source {
  if (sort === 'key')
    return {
      from: 'kapsule_data.granules g',
      where: 'g.place >= $1 AND g.place < $2',
      values: [prefixOf(kapsule), endOf(kapsule)],
    };
  const from = sort === 'user' ? byName(isOfDeleted, descending) : 'kapsule_data.granules g';
  return { from, where: 'g.kapsule = $1', values: [kapsule] };
}

/** Long names have an index of their own, which most often is empty. Both parts are in order: PostgreSQL merges them. */
function byName(isOfDeleted: boolean, descending: boolean): string {
  const direction = descending ? 'DESC' : 'ASC';
  const named = (name: string, condition: string) => `
    (SELECT g.id, g.kapsule, g.change, g.search, g.data, g.deleted_at, ${name} FROM kapsule_data.granules g
     WHERE g.kapsule = $1 AND g.deleted_at IS ${isOfDeleted ? 'NOT NULL' : 'NULL'} AND length(g."user") ${condition}
     ORDER BY name ${direction}, id ${direction})`;
  return `(${named('g."user" AS name', '<= 300')} UNION ALL ${named(NAME, '> 300')}) g`;
}

/** Along the index that has the order; it looks at every row that it skips. */
export function idsInOrder(
  session: Session,
  selection: Selection,
  query: GranulePageQuery,
): Promise<string[]> {
  const { q, conditions } = selection;
  const { from, where, values } = sourceOf(selection, query.sort, query.descending);
  if (q !== '') values.push(q);
  const match = q === '' ? '' : `AND strpos(g.search, $${values.length}) > 0`;
  return idsOf(
    session,
    `SELECT g.id FROM ${from} WHERE ${where} AND ${spanCondition(selection)} ${match}${conditions} ${pageOf(query)}`,
    values,
  );
}

export function pageOf({ sort, descending, limit, offset }: GranulePageQuery): string {
  return `ORDER BY ${orderOf(sort, descending)} LIMIT ${Math.trunc(limit)} OFFSET ${Math.trunc(offset)}`;
}

export async function idsOf(session: Session, sql: string, values: unknown[]): Promise<string[]> {
  return (await session.all<{ id: string }>(sql, ...values)).map(({ id }) => id);
}
