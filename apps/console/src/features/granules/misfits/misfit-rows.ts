import type { MisfitPage } from '@kaptain/contract/misfits';

/** One value that does not fit. */
export interface MisfitRow {
  id: string;
  granuleId: string;
  key: string;
  version: number;
  field: string;
  rule: string;
  message: string;
  value: unknown;
}

/** The values of all granules, each as a row of its own. */
export const misfitRows = (rows: MisfitPage['rows']): MisfitRow[] =>
  rows.flatMap(({ _id, key, version, refusals }) =>
    refusals.map(({ field, rule, message, value }) => ({
      id: `${_id} ${field} ${rule}`,
      granuleId: _id,
      key,
      version,
      field,
      rule,
      message,
      value,
    })),
  );

/** The granules of the selected rows, each once. */
export const granulesOf = (
  rows: readonly MisfitRow[],
  selected: readonly string[],
): Pick<MisfitRow, 'key' | 'version'>[] => {
  const chosen = rows.filter(({ id }) => selected.includes(id));
  return [...new Map(chosen.map(({ key, version }) => [key, { key, version }])).values()];
};

/** The field of all selected rows; empty when they have several. */
export function sharedField(rows: readonly MisfitRow[], selected: readonly string[]): string {
  const [first = '', ...others] = new Set(
    rows.filter(({ id }) => selected.includes(id)).map(({ field }) => field),
  );
  return others.length === 0 ? first : '';
}
