import {
  isCalendarType,
  openQvd,
  type QvdColumn,
  QvdFormatError,
  type QvdTable,
  type QvdValue,
  serialToIso,
} from '@kaptain/qvd';

/** The parts of a file that are shown before it is uploaded. */
export interface QvdPreview {
  tableName: string;
  rowCount: number;
  columns: readonly string[];
  firstRows: readonly string[][];
}

/** The reason why the file can't be opened; the service opens it with the same reader and refuses it, too. */
export interface RefusedQvd {
  refusal: string;
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

/** A file that has changed on the disk may be chosen again. */
const isRefusal = (error: unknown): error is QvdFormatError =>
  error instanceof QvdFormatError && error.code !== 'FILE_CHANGED';

async function open(file: File, signal: AbortSignal): Promise<QvdTable | RefusedQvd> {
  try {
    return await openQvd(file, { signal });
  } catch (error) {
    if (isRefusal(error)) return { refusal: error.message };
    throw error;
  }
}

export async function previewQvd(file: File, signal: AbortSignal): Promise<QvdPreview | RefusedQvd> {
  if (file.size > LARGEST_BYTES) throw new Error('The file is too large to look into it here.');
  const opened = await open(file, signal);
  if ('refusal' in opened) return opened;
  await using qvd = opened;
  const firstRows: string[][] = [];
  for await (const row of qvd.rows({ signal })) {
    firstRows.push(row.map((value, index) => textOf(value, qvd.columns[index] as QvdColumn)));
    if (firstRows.length === ROWS) break;
  }
  const columns = qvd.columns.map(({ name }) => name);
  return { tableName: qvd.tableName, rowCount: qvd.rowCount, columns, firstRows };
}
