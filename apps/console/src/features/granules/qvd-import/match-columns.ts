import type { Kapsule } from '@kaptain/contract/kapsules';

type Structure = Pick<Kapsule, 'table' | 'keyField' | 'fields'>;

/** What the columns of a file mean for a kapsule. */
export interface ColumnMatch {
  hasKey: boolean;
  hasField: boolean;
  /** The columns that are taken, in the order of the file. */
  matched: string[];
  ignored: string[];
}

const fold = (name: string) => name.normalize('NFKC').toLowerCase().trim();

/** Exactly by name first, then in any case; each with and without the table before it. */
function finder(names: readonly string[], tables: readonly string[]): (wanted: string) => string | undefined {
  const prefixes = tables.filter((table) => table !== '').map((table) => fold(`${table}.`));
  const bare = (name: string) => {
    const prefix = prefixes.find((start) => fold(name.slice(0, start.length)) === start);
    return prefix === undefined ? name : name.slice(prefix.length);
  };
  return (wanted) =>
    names.find((name) => name === wanted) ??
    names.find((name) => bare(name) === wanted) ??
    names.find((name) => fold(name) === fold(wanted)) ??
    names.find((name) => fold(bare(name)) === fold(wanted));
}

/** The rules of the import: columns are named like the key field, the fields, and who and when. */
export function matchColumns(
  names: readonly string[],
  qvdTable: string,
  { table, keyField, fields }: Structure,
): ColumnMatch {
  const find = finder(names, [table, qvdTable]);
  const key = find(keyField);
  const found = fields.map(({ name }) => find(name));
  const taken = new Set([key, ...found, find('CreatedBy'), find('CreatedAt')]);
  return {
    hasKey: key !== undefined,
    hasField: found.some((column) => column !== undefined),
    matched: names.filter((name) => taken.has(name)),
    ignored: names.filter((name) => !taken.has(name)),
  };
}
