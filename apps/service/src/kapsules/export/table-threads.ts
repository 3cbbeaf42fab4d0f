import { AppError } from '../../base/errors/app-error.ts';
import type { Command, Made } from './table-messages.ts';
import type { TableOptions } from './table-options.ts';
import { TableThread } from './table-thread.ts';

const GiB = 1024 ** 3;
const standardLimits = {
  /** The threads of all exports together. */
  threads: 2,
  /** The most memory of the rows of one file, and of all open files together. */
  fileBytes: GiB,
  allBytes: 2 * GiB,
};
export type TableLimits = typeof standardLimits;

/** The threads that make files of rows, and the files that they make. */
export class TableThreads {
  readonly #limits: TableLimits;
  readonly #files = new Set<OpenTable>();
  #threads: TableThread[] = [];
  #opened = 0;

  constructor(limits: Partial<TableLimits> = {}) {
    this.#limits = { ...standardLimits, ...limits };
  }

  /** Begins a file on the thread with the fewest files; the caller closes it. */
  open(options: TableOptions): OpenTable {
    const file = new OpenTable(++this.#opened, this.#idlest(), options, {
      requireRoom: () => this.#requireRoom(file),
      closed: () => this.#files.delete(file),
    });
    this.#files.add(file);
    return file;
  }

  get use(): { threads: number; files: number; memory: number } {
    const memory = [...this.#files].reduce((sum, file) => sum + file.memory, 0);
    return {
      threads: this.#threads.filter(({ isAlive }) => isAlive).length,
      files: this.#files.size,
      memory,
    };
  }

  /** Ends all threads; files that are open fail. */
  async end(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }

  #idlest(): TableThread {
    this.#threads = this.#threads.filter(({ isAlive }) => isAlive);
    const idlest = this.#threads.toSorted((one, other) => one.files - other.files)[0];
    if (idlest && (idlest.files === 0 || this.#threads.length >= this.#limits.threads)) return idlest;
    const thread = new TableThread();
    this.#threads.push(thread);
    return thread;
  }

  /** When all files together are too large, refuses a file that holds more than its share, so never a small one. */
  #requireRoom({ memory }: OpenTable): void {
    const { fileBytes, allBytes } = this.#limits;
    if (memory > fileBytes)
      throw new AppError('TOO_LARGE', 'Too many records for one QVD file. Please narrow the filter.');
    if (this.use.memory > allBytes && memory > allBytes / this.#files.size)
      throw new AppError('TOO_MANY_REQUESTS', 'Too many large QVD files at once. Please try again later.', {
        retryAfter: 30,
      });
  }
}

interface Owner {
  /** Throws when the files hold too much. */
  requireRoom(): void;
  closed(): void;
}

/** A file that a thread makes of the rows it is sent. */
class OpenTable implements Disposable {
  /** The memory that its rows hold on the thread. */
  memory = 0;
  readonly #id: number;
  readonly #thread: TableThread;
  readonly #opening: Promise<unknown>;
  readonly #owner: Owner;

  constructor(id: number, thread: TableThread, options: TableOptions, owner: Owner) {
    this.#id = id;
    this.#thread = thread;
    this.#owner = owner;
    thread.hold();
    this.#opening = thread.ask(id, { kind: 'open', options });
    // If this fails, so does adding the first rows.
    this.#opening.catch(() => undefined);
  }

  async #ask(command: Command, transferred?: ArrayBuffer[]): Promise<Made['bytes']> {
    const asked = this.#thread.ask(this.#id, command, transferred);
    asked.catch(() => undefined);
    await this.#opening;
    const { bytes, memory } = await asked;
    this.memory = memory;
    this.#owner.requireRoom();
    return bytes;
  }

  /** Adds rows; returns the bytes of the file that are complete. The thread owns the chunk from then on. */
  add(lines: Uint8Array): Promise<Uint8Array | null> {
    // A chunk that shares its memory with others is copied.
    const isWhole = lines.byteLength === lines.buffer.byteLength;
    return this.#ask({ kind: 'add', lines }, isWhole ? [lines.buffer as ArrayBuffer] : []);
  }

  /** The next piece after the last row, null at the end of the file. */
  next(): Promise<Uint8Array | null> {
    return this.#ask({ kind: 'next' });
  }

  [Symbol.dispose](): void {
    this.#owner.closed();
    // A thread that has stopped has no file to close.
    this.#thread.ask(this.#id, { kind: 'close' }).catch(() => undefined);
    this.#thread.release();
  }
}

export const tableThreads = new TableThreads();
