import type { Transferable } from 'node:worker_threads';
import { UnavailableError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { PoolUse } from '../../store.ts';
import { UnitScope } from '../shared/unit-scope.ts';
import type { GranuleMethod } from './granules/commands.ts';
import { IdleWork } from './idle-work.ts';
import type { Command } from './messages.ts';
import { Thread } from './thread.ts';
import {
  BATCHES_PER_CHECKPOINT,
  DIRECT_ROWS_DURING_CHECKPOINT,
  DIRECT_ROWS_PER_CHECKPOINT,
} from './tuning.ts';
import { WaitingWrites } from './waiting-writes.ts';

/** Imports and maintenance: they have a thread and a connection of their own, at a lower priority. */
const BACKGROUND: ReadonlySet<GranuleMethod> = new Set<GranuleMethod>([
  'beginImport',
  'stageRows',
  'renewImport',
  'replaceMore',
  'dropImport',
  'sweepImports',
  'noteFields',
]);

const isForBackground = (command: Command): boolean =>
  command.kind === 'receive' || (command.kind === 'granules' && BACKGROUND.has(command.method));

/** A batch of an import, or of the rows that it replaces. */
const isBatch = (command: Command): boolean =>
  command.kind === 'receive' || (command.kind === 'granules' && command.method === 'replaceMore');

/**
 * The main thread's side of all that writes to the file: the writer's thread, the background thread, and the event loop's own
 * connection, which only `SaveQueue` uses. Runs one exclusive piece of work at a time, or shared ones, which are saves.
 */
export class Writer {
  /** By this a store knows its own imports from those of other processes on the file. */
  readonly owner = newId();
  readonly #thread: Thread<Command>;
  readonly #background: Thread<Command>;
  readonly #idleWork: IdleWork;
  readonly #scope = new UnitScope();
  readonly #waiting = new WaitingWrites();
  /** Settled when the last exclusive work is done … */
  #last: Promise<unknown> = Promise.resolve();
  /** … and when all shared work that was asked for after it is. */
  #shared: Promise<unknown> = Promise.resolve();
  /** Exclusive and shared work that is not done yet. */
  #unfinished = 0;
  #closing: Promise<void> | undefined;
  /** Rows saved on the event loop since the last checkpoint. */
  #directRows = 0;
  /** Batches and steps of the background thread since then. */
  #batches = 0;
  #isCheckpointing = false;

  /** `needsUpkeep` looks whether there is any maintenance to do. */
  constructor(file: string, needsUpkeep: () => boolean) {
    const script = new URL('./writer-worker.ts', import.meta.url);
    const data = { file, owner: this.owner, waiting: this.#waiting.shared };
    this.#thread = new Thread(script, data);
    this.#background = new Thread(script, { ...data, isBackground: true });
    this.#idleWork = new IdleWork(needsUpkeep, async (isIdle) => {
      const isMore = (await this.#alone(() =>
        this.#background.send({ kind: 'maintain', isIdle }),
      )) as boolean;
      if (isMore) this.#noteWrites(0, 1);
      return isMore;
    });
  }

  /** Runs the work when all work asked for earlier is done. */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    this.requireOutside();
    return await this.#alone(work);
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    const shared = this.#shared;
    const turn = this.#waiting.wait();
    const result = this.#counted(
      this.#last
        .then(() => shared)
        .then(() => {
          turn.start();
          return this.#scope.run(work);
        }),
    );
    this.#last = result.catch(() => undefined);
    this.#shared = Promise.resolve();
    return await result;
  }

  /** Runs the work beside other shared work, when all exclusive work asked for earlier is done. */
  async shared<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#waiting.wait();
    const result = this.#counted(
      this.#last.then(() => {
        turn.start();
        return work();
      }),
    );
    this.#shared = Promise.all([this.#shared, result.catch(() => undefined)]);
    return await result;
  }

  async #counted<T>(work: Promise<T>): Promise<T> {
    this.#unfinished += 1;
    try {
      return await work;
    } finally {
      this.#unfinished -= 1;
    }
  }

  get pools(): PoolUse[] {
    const busy = Math.min(1, this.#unfinished);
    return [
      { name: 'writer', busy, waiting: this.#unfinished - busy },
      { name: 'background writer', ...this.#background.use },
    ];
  }

  /** Throws when the store is closed, or inside a unit of work, which would wait for itself. */
  requireOutside(): void {
    if (this.#closing) throw new UnavailableError('The store is closed.');
    this.#scope.refuseInside();
  }

  async send(command: Command, transferred?: Transferable[]): Promise<unknown> {
    const thread = isForBackground(command) ? this.#background : this.#thread;
    if (isBatch(command)) this.#noteWrites(0, 1);
    try {
      return await thread.send(command, transferred);
    } finally {
      this.#idleWork.afterCommand();
    }
  }

  /** After saves on the event loop's connection, which makes no checkpoints. */
  savedDirectly(rows: number): void {
    this.upkeepSoon();
    this.#noteWrites(rows, 0);
  }

  /** True while a checkpoint lags: saves then wait behind it on the writer's thread, which stops the write-ahead log from growing. */
  get isLogLong(): boolean {
    return this.#directRows > DIRECT_ROWS_DURING_CHECKPOINT;
  }

  #noteWrites(directRows: number, batches: number): void {
    this.#directRows += directRows;
    this.#batches += batches;
    const isDue = this.#directRows >= DIRECT_ROWS_PER_CHECKPOINT || this.#batches >= BATCHES_PER_CHECKPOINT;
    if (!isDue || this.#isCheckpointing || this.#closing) return;
    // On a full disk it fails; the next one retries.
    this.#checkpoint().catch(() => undefined);
  }

  /**
   * Copies most of the write-ahead log into the file while saves and imports write, then the rest while none does: SQLite begins a log
   * anew only when all of it is copied. Not on the background thread, whose priority would make it late, and which imports need.
   */
  async #checkpoint(): Promise<void> {
    this.#isCheckpointing = true;
    try {
      await this.#thread.send({ kind: 'checkpoint' });
      await this.#alone(() => this.#thread.send({ kind: 'checkpoint' }));
    } finally {
      this.#directRows = 0;
      this.#batches = 0;
      this.#isCheckpointing = false;
    }
  }

  upkeepSoon(): void {
    this.#idleWork.afterCommand();
  }

  /** Lets all work end, ends the background thread, waits for `beforeLast`, then ends the writer's thread. */
  close(beforeLast: () => Promise<void>): Promise<void> {
    this.#closing ??= this.#close(beforeLast);
    return this.#closing;
  }

  async #close(beforeLast: () => Promise<void>): Promise<void> {
    this.#idleWork.stop();
    await Promise.all([this.#last, this.#shared]);
    await this.#background.stop({ kind: 'close' });
    await beforeLast();
    await this.#thread.stop({ kind: 'close' });
  }
}
