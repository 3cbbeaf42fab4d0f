import { isCalendarType, openQvd, type QvdColumn, type QvdValue, serialToIso } from '@kaptain/qvd';

/** The parts of a file that are shown before it is uploaded. */
export interface QvdPreview {
  tableName: string;
  rowCount: number;
  columns: readonly string[];
  firstRows: readonly string[][];
}

const ROWS = 5;
// Opening reads every value once, which would block the page for larger files.
const LARGEST_BYTES = 64 * 1024 * 1024;

function textOf(value: QvdValue | null, { type }: QvdColumn): string {
  if (value === null) return '';
  if (typeof value === 'object') return value.text;
  if (typeof value === 'number' && isCalendarType(type)) return serialToIso(value, type) ?? String(value);
  return String(value);
}

export async function previewQvd(file: File, signal: AbortSignal): Promise<QvdPreview> {
  if (file.size > LARGEST_BYTES) throw new Error('The file is too large to look into it here.');
  await using qvd = await openQvd(file, { signal });
  const firstRows: string[][] = [];
  for await (const row of qvd.rows({ signal })) {
    firstRows.push(row.map((value, index) => textOf(value, qvd.columns[index] as QvdColumn)));
    if (firstRows.length === ROWS) break;
  }
  const columns = qvd.columns.map(({ name }) => name);
  return { tableName: qvd.tableName, rowCount: qvd.rowCount, columns, firstRows };
}
