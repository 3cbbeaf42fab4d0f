/**
 * The cells of a block copied from a spreadsheet: rows end with a line break, cells with a tab. A cell that has
 * one of both inside or begins with a quote is quoted, and its quotes are doubled.
 */
export function parseBlock(text: string): string[][] {
  const rows: string[][] = [[]];
  let rest = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replace(/\n$/, '');
  for (;;) {
    const quoted = /^"((?:[^"]|"")*)"(?=[\t\n]|$)/.exec(rest);
    const cell = quoted?.[0] ?? /^[^\t\n]*/.exec(rest)?.[0] ?? '';
    rows.at(-1)?.push(quoted ? (quoted[1] ?? '').replaceAll('""', '"') : cell);
    const end = rest[cell.length];
    if (end === undefined) return rows;
    if (end === '\n') rows.push([]);
    rest = rest.slice(cell.length + 1);
  }
}

/** A cell as spreadsheets copy it: in quotes when it has line breaks or tabs, or begins with a quote. */
export const quotedCell = (text: string): string =>
  /[\n\r\t]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
