import { once } from 'node:events';
import { type MessagePort, parentPort, type Transferable } from 'node:worker_threads';
import type { QvdFileResult, RefusedRows } from '@kaptain/contract';
import { PageRoom } from '@kaptain/contract/granule-records';
import type { QvdTable } from '@kaptain/qvd/node';
import { lowerThreadPriority, yieldProcessor } from '@kaptain/store/background-thread';
import { type PackedRow, pack } from '@kaptain/store/packed-rows';
import { IMPORT_BATCH_CHARACTERS, IMPORT_BATCH_ROWS } from '../tuning.ts';
import { CheckedRows } from './checked-rows.ts';
import { Expansion } from './expansion.ts';
import { ImportRefusal } from './import-refusal.ts';
import { MadeRows } from './made-rows.ts';
import { type Matching, matchColumns } from './match-columns.ts';
import type { Message, ProposalTask, Reply, Task } from './messages.ts';
import { named, openQvdFile } from './open-qvd-file.ts';
import { proposeStructure } from './propose-structure.ts';
import { rowWriter, type WrittenRow } from './row-writer.ts';

// Parses uploaded files on a worker thread, one import after another: its memory is limited, and it can be terminated at
// any time.
const port = parentPort;
if (!port) throw new Error('An import runs as a worker thread only.');

// Requests that are answered meanwhile have a higher priority.
lowerThreadPriority();

const PREVIEW_ROWS = 5;

const send = (message: Message, transferred: Transferable[] = []) => port.postMessage(message, transferred);

/** Waits for the reply of the receiver. */
async function asked(message: Message, transferred: Transferable[] = []): Promise<Reply> {
  send(message, transferred);
  const [reply] = (await once(port as MessagePort, 'message')) as [Reply];
  return reply;
}

async function sendRows(rows: readonly PackedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const batch = pack(rows);
  await asked({ kind: 'rows', ...batch }, [batch.bytes.buffer]);
}

async function lookUp(keys: string[]): Promise<Exclude<Reply, 'more'>> {
  const reply = await asked({ kind: 'lookup', keys });
  if (reply === 'more') throw new Error('A lookup got no rows.');
  return reply;
}

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

/** The files of one import. */
class Files {
  readonly #task: Task;
  readonly #opened: Opened[] = [];
  /** For all files together, because one answer contains all previews. */
  readonly #previewRoom = new PageRoom();
  readonly #expansion: Expansion;
  readonly #made: MadeRows;
  /** A row was refused, so that nothing is stored. */
  #isRefused = false;

  constructor(task: Task) {
    this.#task = task;
    this.#expansion = new Expansion(task.files);
    this.#made = new MadeRows(task);
  }

  /** Opens and checks every file before any row is sent. */
  async open(): Promise<void> {
    const { files, structure, role } = this.#task;
    for (const { name, path } of files) {
      const table = await openQvdFile({ name, path });
      try {
        const matching = matchColumns(name, table.columns, table.tableName, structure, role);
        this.#opened.push({ name, table, matching });
      } catch (error) {
        await table.close();
        throw error;
      }
    }
  }

  async read(): Promise<QvdFileResult[]> {
    const results: QvdFileResult[] = [];
    for (const file of this.#opened) results.push(await named(file.name, () => this.#readFile(file)));
    return results;
  }

  async close(): Promise<void> {
    for (const { table } of this.#opened) await table.close();
  }

  async #readFile({ name, table, matching }: Opened): Promise<QvdFileResult> {
    const write = rowWriter(matching, this.#task);
    const checked = new CheckedRows(this.#task, lookUp, this.#made);
    const preview: NonNullable<QvdFileResult['preview']> = [];
    let [rows, batch, characters]: [number, WrittenRow[], number] = [0, [], 0];
    const flush = async () => {
      const good = await checked.accept(batch);
      rows += good.length;
      [batch, characters] = [[], 0];
      if (this.#task.isDryRun) {
        this.#show(good, preview);
        return;
      }
      this.#isRefused ||= checked.tally.count > 0 && !this.#task.goodRowsOnly;
      // Nothing is stored: the rest is only counted.
      if (!this.#isRefused) await sendRows(good);
    };
    let rowsBefore = 0;
    for await (const block of table.blocks({ columns: columnsOf(matching), reuse: true })) {
      for (let row = 0; row < block.rowCount; row++) {
        yieldProcessor();
        const written = write(block, row, rowsBefore);
        if (written === undefined) continue;
        const [, , data, , , search] = written.row;
        this.#expansion.add(written.row);
        batch.push(written);
        characters += data.length + search.length;
        if (batch.length === IMPORT_BATCH_ROWS || characters >= IMPORT_BATCH_CHARACTERS) await flush();
      }
      rowsBefore += block.rowCount;
    }
    await flush();
    const { matched, ignored } = matching;
    const result = { file: name, rows, matched, ignored, refused: refusedOf(checked) };
    return this.#task.isDryRun ? { ...result, preview, changes: checked.changes } : result;
  }

  #show(rows: readonly PackedRow[], preview: NonNullable<QvdFileResult['preview']>): void {
    for (const [key, user, data] of rows.slice(0, PREVIEW_ROWS))
      if (preview.length < PREVIEW_ROWS && this.#previewRoom.takes(data.length))
        preview.push({ key, user, data: JSON.parse(data) as unknown });
  }
}

const refusedOf = ({ tally: { count, rows, rules, first } }: CheckedRows): RefusedRows => ({
  count,
  rows,
  rules,
  first,
});

async function importFiles(task: Task): Promise<Message> {
  const files = new Files(task);
  try {
    await files.open();
    return { kind: 'done', files: await files.read() };
  } finally {
    await files.close();
  }
}

/** An unexpected error ends the thread; the main thread logs it. */
async function run(work: () => Promise<Message>): Promise<void> {
  send(
    await work().catch((error: unknown): Message => {
      if (!(error instanceof ImportRefusal)) throw error;
      return { kind: 'refused', code: error.code, message: error.message };
    }),
  );
}

// Replies are awaited where they are asked for.
port.on('message', (message: Task | ProposalTask | Reply) => {
  if (message === 'more') return;
  if ('proposed' in message)
    void run(async () => ({ kind: 'proposed', proposal: await proposeStructure(message.proposed) }));
  else if ('files' in message) void run(() => importFiles(message));
});
