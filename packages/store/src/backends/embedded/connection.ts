import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { UnavailableError } from '../../errors.ts';
import { fromSqlite, isBusy } from './driver-errors.ts';
import { BUSY_RETRY_MS } from './tuning.ts';

interface ConnectionOptions {
  readOnly: boolean;
  /** How long to wait for another process that holds the file. */
  busyMs: number;
  /** Waits by trying again instead of in SQLite, so that a try without waiting needs no change of settings. */
  isRetrying?: boolean;
}

/** One SQLite connection with its prepared statements; its errors are the store's own. */
export class Connection {
  readonly file: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #busyMs: number;
  readonly #isRetrying: boolean;
  #isWaiting = true;

  constructor(file: string, { readOnly, busyMs, isRetrying = false }: ConnectionOptions) {
    this.file = file;
    this.#busyMs = busyMs;
    this.#isRetrying = isRetrying;
    try {
      this.#database = new DatabaseSync(file, { readOnly, timeout: isRetrying ? 0 : busyMs });
    } catch (error) {
      throw fromSqlite(error, file);
    }
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  exec(sql: string): void {
    this.#guard(() => this.#database.exec(sql));
  }

  get(sql: string, ...values: SQLInputValue[]): unknown {
    return this.#guard(() => this.#prepared(sql).get(...values));
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#guard(() => this.#prepared(sql).all(...values)) as Row[];
  }

  /** Returns the number of changed rows. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#guard(() => this.#prepared(sql).run(...values)).changes);
  }

  /** Runs all of the work or none of it, also inside an open transaction. */
  atomically<T>(work: () => T): T {
    const [begin, commit, rollback] = this.inTransaction
      ? ['SAVEPOINT step', 'RELEASE step', 'ROLLBACK TO step; RELEASE step']
      : ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK'];
    this.run(begin);
    try {
      const result = work();
      this.run(commit);
      return result;
    } catch (error) {
      // On a full disk SQLite has rolled back by itself, and a second time would hide the reason.
      if (this.inTransaction) this.exec(rollback);
      throw error;
    }
  }

  /** Fails at once when another connection holds the file. */
  withoutWaiting(work: () => void): void {
    if (!this.#isRetrying) this.exec('PRAGMA busy_timeout = 0');
    this.#isWaiting = false;
    try {
      work();
    } finally {
      this.#isWaiting = true;
      if (!this.#isRetrying) this.exec(`PRAGMA busy_timeout = ${this.#busyMs}`);
    }
  }

  /** Defines the SQL function of this name, or replaces it; no statement may be running. */
  define(name: string, run: (text: string) => number): void {
    this.#guard(() => this.#database.function(name, { deterministic: true }, run as () => SQLInputValue));
  }

  /** All reads of the work see the same snapshot. */
  snapshot<T>(work: () => T): T {
    this.exec('BEGIN');
    try {
      return work();
    } finally {
      this.exec('COMMIT');
    }
  }

  /** Row by row, each as the list of its columns. */
  *each(sql: string, ...values: SQLInputValue[]): Generator<SQLOutputValue[]> {
    const statement = this.#guard(() => this.#database.prepare(sql));
    statement.setReturnArrays(true);
    const rows = this.#guard(() => statement.iterate(...values)) as unknown as Iterator<SQLOutputValue[]>;
    try {
      for (;;) {
        const step = this.#guard(() => rows.next());
        if (step.done) return;
        yield step.value;
      }
    } finally {
      // A statement that is not read to its end would keep its snapshot.
      if (this.#database.isOpen) rows.return?.();
    }
  }

  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #guard<T>(work: () => T): T {
    if (!this.#database.isOpen) throw new UnavailableError('The store is closed.');
    try {
      return work();
    } catch (error) {
      if (this.#isRetrying && this.#isWaiting && isBusy(error)) return this.#retry(work);
      throw fromSqlite(error, this.file);
    }
  }

  #retry<T>(work: () => T): T {
    const sleeper = new Int32Array(new SharedArrayBuffer(4));
    for (const deadline = performance.now() + this.#busyMs; ; ) {
      Atomics.wait(sleeper, 0, 0, BUSY_RETRY_MS);
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw fromSqlite(error, this.file);
      }
    }
  }
}
