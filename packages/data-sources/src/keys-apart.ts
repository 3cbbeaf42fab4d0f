/** One text for all keys that some collation may take for the same: without case, accents and blanks at the end. */
const alike = (key: string): string => key.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().trimEnd();

/**
 * Splits rows so that no part has two keys that the column's collation may take for the same: the first one is found when the part of
 * the second one is stored. Rows of such keys stay in their order.
 */
export function keysApart<Row extends { key: string }>(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = [];
  const last = new Map<string, { key: string; part: number }>();
  for (const row of rows) {
    const text = alike(row.key);
    const before = last.get(text);
    const part = before === undefined ? 0 : before.part + (before.key === row.key ? 0 : 1);
    last.set(text, { key: row.key, part });
    parts[part] ??= [];
    parts[part].push(row);
  }
  return parts;
}
