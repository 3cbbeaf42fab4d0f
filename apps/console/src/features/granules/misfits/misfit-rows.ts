import type { MisfitPage } from '@kaptain/contract/misfits';

/** One value that does not fit. */
export interface MisfitRow {
  id: string;
  granuleId: string;
  key: string;
  field: string;
  rule: string;
  message: string;
  value: unknown;
}

/** The values of all granules, each as a row of its own. */
export const misfitRows = (rows: MisfitPage['rows']): MisfitRow[] =>
  rows.flatMap(({ _id, key, refusals }) =>
    refusals.map(({ field, rule, message, value }) => ({
      id: `${_id} ${field} ${rule}`,
      granuleId: _id,
      key,
      field,
      rule,
      message,
      value,
    })),
  );

/** The keys of the selected rows, each once. */
export const keysOf = (rows: readonly MisfitRow[], selected: readonly string[]): string[] => [
  ...new Set(rows.filter(({ id }) => selected.includes(id)).map(({ key }) => key)),
];
