import { once } from 'node:events';
import { type MessagePort, parentPort, type Transferable, workerData } from 'node:worker_threads';
import type { QvdFileResult } from '@kaptain/contract';
import { PageRoom } from '@kaptain/contract/granule-records';
import { openQvd, QvdFormatError, type QvdTable } from '@kaptain/qvd/node';
import { lowerThreadPriority, yieldProcessor } from '@kaptain/store/background-thread';
import { type PackedRow, pack } from '@kaptain/store/packed-rows';
import { Expansion } from './expansion.ts';
import { ImportRefusal } from './import-refusal.ts';
import { type Matching, matchColumns } from './match-columns.ts';
import type { Message, Task } from './messages.ts';
import { rowWriter } from './row-writer.ts';

// Parses uploaded files on a worker thread: its memory is limited, and it can be terminated at any time.
const task = workerData as Task;
const { files, structure, role, isDryRun } = task;
const port = parentPort;
if (!port) throw new Error('An import runs as a worker thread only.');

// Requests that are answered meanwhile have a higher priority.
lowerThreadPriority();

/** Rows per batch: enough that the fsync per batch costs little; with 2,000 the p99 of other calls was twice as high. */
const BATCH_ROWS = 1_000;
/** Of the data and of the text that is searched, which can be many times as long. */
const BATCH_CHARACTERS = 1_000_000;
const PREVIEW_ROWS = 5;
const LIMITS = { textBytes: 1024 * 1024, symbolMemory: 512 * 1024 * 1024 };

const send = (message: Message, transferred: Transferable[] = []) => port.postMessage(message, transferred);

/** Waits until the receiver asks for more. */
async function sendRows(rows: readonly PackedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const batch = pack(rows);
  send({ kind: 'rows', ...batch }, [batch.bytes.buffer]);
  await once(port as MessagePort, 'message');
}

/** For all files together, because one answer contains all previews. */
const previewRoom = new PageRoom();
const expansion = new Expansion(files);

interface Opened {
  name: string;
  table: QvdTable;
  matching: Matching;
}

const columnsOf = ({ key, fields, createdBy, createdAt }: Matching): string[] => [
  key,
  ...fields.map(({ column }) => column),
  ...[createdBy, createdAt].filter((column) => column !== undefined),
];

/** Opens and checks every file before any row is sent. */
async function openAll(): Promise<Opened[]> {
  const opened: Opened[] = [];
  for (const { name, path } of files) {
    const table = await named(name, () => openQvd(path, { limits: LIMITS }));
    const matching = matchColumns(name, table.columns, table.tableName, structure, role);
    opened.push({ name, table, matching });
  }
  return opened;
}

async function readFile({ name, table, matching }: Opened): Promise<QvdFileResult> {
  const write = rowWriter(matching, task);
  const preview: NonNullable<QvdFileResult['preview']> = [];
  let [rows, batch, characters]: [number, PackedRow[], number] = [0, [], 0];
  let rowsBefore = 0;
  for await (const block of table.blocks({ columns: columnsOf(matching), reuse: true })) {
    for (let row = 0; row < block.rowCount; row++) {
      yieldProcessor();
      const written = write(block, row, rowsBefore);
      if (written === undefined) continue;
      const [key, user, data, , , search] = written;
      rows += 1;
      expansion.take(written);
      if (preview.length < PREVIEW_ROWS && previewRoom.takes(data.length))
        preview.push({ key, user, data: JSON.parse(data) as unknown });
      if (isDryRun) continue;
      batch.push(written);
      characters += data.length + search.length;
      if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
      await sendRows(batch);
      [batch, characters] = [[], 0];
    }
    rowsBefore += block.rowCount;
  }
  await sendRows(batch);
  const { matched, ignored } = matching;
  return { file: name, rows, matched, ignored, ...(isDryRun && { preview }) };
}

/** Adds the name of the file to the errors of its reader. */
async function named<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof QvdFormatError) {
      const place = error.field === null ? '' : ` (column ${error.field})`;
      throw new ImportRefusal(`${name}: ${error.message}${place}`);
    }
    throw error instanceof ImportRefusal && !error.message.startsWith(name)
      ? new ImportRefusal(`${name}: ${error.message}`, error.code)
      : error;
  }
}

try {
  const results: QvdFileResult[] = [];
  const opened = await openAll();
  for (const file of opened) results.push(await named(file.name, () => readFile(file)));
  for (const { table } of opened) await table.close();
  send({ kind: 'done', files: results });
} catch (error) {
  // An unexpected error ends the thread; the main thread logs it.
  if (!(error instanceof ImportRefusal)) throw error;
  send({ kind: 'refused', code: error.code, message: error.message });
} finally {
  port.close();
}
