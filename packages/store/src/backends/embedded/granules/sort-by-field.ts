import { type SortField, sortValueOf } from '@kaptain/contract/field-conditions';
import type { GranulePageQuery } from '../../../granules.ts';
import { SortedRows } from '../../shared/sorted-rows.ts';
import type { Connection } from '../connection.ts';
import { candidatesOf } from './candidates.ts';
import type { RowPage, Selection } from './selection.ts';

/** Up to this many rows the index of the search proposes; with more, every row is read. */
const FEW = 20_000;

/** Reads every matching row: no index has the values of fields. */
export function rowsByField(
  connection: Connection,
  selection: Selection,
  { descending, offset, limit }: GranulePageQuery,
  field: SortField,
): RowPage {
  const { table, kapsule, after, through, q, matches } = selection;
  const candidates = q === '' ? undefined : candidatesOf(connection, selection, FEW);
  const among = candidates?.areFew ? `AND g.row IN (${candidates.sql})` : '';
  const rows = connection.each(
    `SELECT g.row, g.data FROM ${table} g WHERE g.kapsule = ?1 AND g.change > ?2 AND g.change <= ?3
     AND (?4 = '' OR instr(g.search, ?4) > 0) ${among} ${matches} ORDER BY g.row`,
    kapsule,
    after,
    through,
    q,
    ...(candidates?.areFew ? candidates.values : []),
  );
  const sorted = new SortedRows<number>(offset + limit, descending);
  for (const [row, data] of rows)
    sorted.add(sortValueOf(field, JSON.parse(data as string) as Record<string, unknown>), row as number);
  return { rows: sorted.slice(offset, offset + limit), total: sorted.added, totalIsExact: true };
}
