import { type SortField, sortValueOf } from '@kaptain/contract/field-conditions';
import type { GranulePageQuery } from '../../../granules.ts';
import type { ScanBudget } from '../../shared/scan-budget.ts';
import { SortedRows } from '../../shared/sorted-rows.ts';
import type { Connection } from '../connection.ts';
import { FIELD_SORTED_ROWS } from '../tuning.ts';
import { type Candidates, candidatesOf } from './candidates.ts';
import { countByIndex } from './count-by-index.ts';
import { indexOf } from './field-narrowing.ts';
import { rowsAlongField } from './rows-along-field.ts';
import type { RowPage, Selection } from './selection.ts';

export function rowsByField(
  connection: Connection,
  selection: Selection,
  query: GranulePageQuery,
  field: SortField,
  budget: ScanBudget,
): RowPage {
  const candidates = candidatesOf(connection, selection, FIELD_SORTED_ROWS);
  const index = candidates?.areFew ? undefined : indexOf(selection.indexes, field);
  const page = index
    ? rowsAlongField(connection, selection, query, index, budget)
    : sortedRows(connection, selection, query, field, budget, candidates);
  const total = page.totalIsExact ? undefined : countByIndex(connection, selection);
  return total === undefined ? page : { ...page, total, totalIsExact: true };
}

/** Reads every matching row, as many as the time allows. */
function sortedRows(
  connection: Connection,
  { table, kapsule, after, through, q, matches, total }: Selection,
  { descending, offset, limit }: GranulePageQuery,
  field: SortField,
  budget: ScanBudget,
  candidates: Candidates | undefined,
): RowPage {
  const among = candidates?.areFew ? candidates : undefined;
  const rows = connection.each(
    `SELECT g.row, g.data, 1 ${matches} FROM ${table} g WHERE g.kapsule = ?1 AND g.change > ?2 AND g.change <= ?3
     AND (?4 = '' OR instr(g.search, ?4) > 0) ${among ? `AND g.row IN (${among.sql})` : ''} ORDER BY g.row`,
    kapsule,
    after,
    through,
    q,
    ...(among?.values ?? []),
  );
  const sorted = new SortedRows<number>(offset + limit, descending);
  let isPartial = false;
  for (const [row, data, isHit] of rows) {
    if (isHit === 1)
      sorted.add(sortValueOf(field, JSON.parse(data as string) as Record<string, unknown>), row as number);
    if (!budget.isSpent()) continue;
    isPartial = true;
    break;
  }
  const isTotalKnown = q === '' && matches === '';
  return {
    rows: sorted.slice(offset, offset + limit),
    total: isTotalKnown ? total : sorted.added,
    totalIsExact: isTotalKnown || !isPartial,
    isPartial,
  };
}
