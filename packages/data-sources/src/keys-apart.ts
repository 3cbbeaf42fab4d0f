/** One text for all keys that some collation may take for the same: without case, accents and blanks at the end. */
const alike = (key: string): string => key.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().trimEnd();

/**
 * Splits rows, in their order, so that no part has two keys that the column's collation may take for the same: the first one is found
 * when the second one is stored.
 */
export function keysApart<Row extends { key: string }>(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = [];
  let known = new Map<string, string>();
  for (const row of rows) {
    const text = alike(row.key);
    const isOther = (known.get(text) ?? row.key) !== row.key;
    if (isOther) known = new Map();
    known.set(text, row.key);
    if (isOther || parts.length === 0) parts.push([]);
    parts.at(-1)?.push(row);
  }
  return parts;
}
