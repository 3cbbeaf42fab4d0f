import { GranuleConflictError } from '@kaptain/contract/granule-records';
import type { Block, ConnectOptions, Dialect, Pool, Session } from './dialect.ts';
import { DataSourceError } from './errors.ts';
import { DEADLOCK_ATTEMPTS } from './tuning.ts';
import { ValueError } from './values.ts';

/** The connection pool of a data source, opened on first use; every failure becomes a DataSourceError. */
export class Connection {
  readonly dialect: Dialect;
  readonly #open: () => Promise<Pool>;
  #pool: Promise<Pool> | undefined;
  #isClosed = false;
  /** Work that has a connection of the pool, or waits for one. */
  unfinished = 0;

  constructor(dialect: Dialect, block: Block, options: ConnectOptions) {
    this.dialect = dialect;
    this.#open = () => dialect.connect(block, options);
  }

  error(error: unknown): unknown {
    if (error instanceof DataSourceError || error instanceof GranuleConflictError) return error;
    const { type } = this.dialect;
    if (error instanceof ValueError) return new DataSourceError(type, 'value', error.message, error);
    const category = this.dialect.categoryOf(error);
    if (category) return new DataSourceError(type, category, undefined, error);
    return isDriverError(error) ? new DataSourceError(type, 'other', undefined, error) : error;
  }

  async #openedPool(): Promise<Pool> {
    if (this.#isClosed) throw new DataSourceError(this.dialect.type, 'refused', 'It was closed.');
    this.#pool ??= this.#open();
    const opening = this.#pool;
    try {
      return await opening;
    } catch (error) {
      // The next call opens the pool again.
      if (this.#pool === opening) this.#pool = undefined;
      throw error;
    }
  }

  async use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    this.unfinished += 1;
    try {
      return await (await this.#openedPool()).use(work);
    } catch (error) {
      throw this.error(error);
    } finally {
      this.unfinished -= 1;
    }
  }

  /** Retries the work after a deadlock, which has rolled it back, unless `once` says that the work can not run twice. */
  async transaction<T>(work: (session: Session) => Promise<T>, once = false): Promise<T> {
    this.unfinished += 1;
    try {
      return await this.#inTransaction(work, once);
    } finally {
      this.unfinished -= 1;
    }
  }

  async #inTransaction<T>(work: (session: Session) => Promise<T>, once: boolean): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await (await this.#openedPool()).transaction(work);
      } catch (reason) {
        const error = this.error(reason);
        const isDeadlock = error instanceof DataSourceError && error.category === 'deadlock';
        if (once || !isDeadlock || attempt === DEADLOCK_ATTEMPTS) throw error;
      }
    }
  }

  /** Holds one connection until the consumer ends or aborts the stream. */
  async *stream<T>(read: (session: Session) => AsyncIterable<T>): AsyncGenerator<T> {
    const channel = new Channel<T>();
    const working = this.use(async (session) => {
      for await (const item of read(session)) if (!(await channel.send(item))) return;
    }).then(
      () => channel.end(),
      (error: unknown) => channel.end(error),
    );
    try {
      yield* channel;
    } finally {
      channel.cancel();
      await working;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#pool?.catch(() => undefined))?.close();
  }
}

/** An unbuffered channel: each `send` waits until the consumer asks for the next item. */
class Channel<T> implements AsyncIterable<T> {
  #sent: { value: T } | undefined;
  #ended: { error?: unknown } | undefined;
  #isCancelled = false;
  #wakeConsumer: () => void = () => undefined;
  #wakeProducer: () => void = () => undefined;

  /** Returns false when the consumer has cancelled. */
  async send(value: T): Promise<boolean> {
    if (this.#isCancelled) return false;
    this.#sent = { value };
    this.#wakeConsumer();
    await new Promise<void>((resolve) => {
      this.#wakeProducer = resolve;
    });
    return !this.#isCancelled;
  }

  end(error?: unknown): void {
    this.#ended = error === undefined ? {} : { error };
    this.#wakeConsumer();
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#wakeProducer();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      if (!this.#sent && !this.#ended)
        await new Promise<void>((resolve) => {
          this.#wakeConsumer = resolve;
        });
      if (this.#sent) {
        const { value } = this.#sent;
        this.#sent = undefined;
        yield value;
        this.#wakeProducer();
      } else if (this.#ended) {
        if ('error' in this.#ended) throw this.#ended.error;
        return;
      }
    }
  }
}

/** Errors of drivers have a code or a number; programming errors of ours have neither. */
function isDriverError(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return false;
  const { code, errno, number, errorNum } = error as unknown as Record<string, unknown>;
  return [code, errno, number, errorNum].some((code) => code !== undefined);
}
