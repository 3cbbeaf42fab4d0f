import { GranuleConflictError } from '@kaptain/contract/granule-records';
import type { Block, ConnectOptions, Dialect, Pool, Session } from './dialect.ts';
import { DataSourceError } from './errors.ts';
import { ValueError } from './values.ts';

const TRIES = 4;

/** The pool of a source, opened when it is first needed; every failure becomes a DataSourceError. */
export class Connection {
  readonly dialect: Dialect;
  readonly #open: () => Promise<Pool>;
  #pool: Promise<Pool> | undefined;
  #isClosed = false;

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
    return isOfDriver(error) ? new DataSourceError(type, 'other', undefined, error) : error;
  }

  async #taken(): Promise<Pool> {
    if (this.#isClosed) throw new DataSourceError(this.dialect.type, 'refused', 'It was closed.');
    this.#pool ??= this.#open();
    const opening = this.#pool;
    try {
      return await opening;
    } catch (error) {
      // The next one tries again.
      if (this.#pool === opening) this.#pool = undefined;
      throw error;
    }
  }

  async use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    try {
      return await (await this.#taken()).use(work);
    } catch (error) {
      throw this.error(error);
    }
  }

  /** A deadlock has undone everything, so the work is simply done again, unless it can be done only once. */
  async transaction<T>(work: (session: Session) => Promise<T>, once = false): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await (await this.#taken()).transaction(work);
      } catch (reason) {
        const error = this.error(reason);
        const isDeadlock = error instanceof DataSourceError && error.category === 'deadlock';
        if (once || !isDeadlock || tries === TRIES) throw error;
      }
    }
  }

  /** Holds a connection until the consumer is done. */
  async *stream<T>(read: (session: Session) => AsyncIterable<T>): AsyncGenerator<T> {
    const queue = new Handover<T>();
    const working = this.use(async (session) => {
      for await (const portion of read(session)) if (!(await queue.give(portion))) return;
    }).then(
      () => queue.end(),
      (error: unknown) => queue.end(error),
    );
    try {
      yield* queue;
    } finally {
      queue.leave();
      await working;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#pool?.catch(() => undefined))?.close();
  }
}

/** One portion at a time from the one who reads to the one who takes. */
class Handover<T> implements AsyncIterable<T> {
  #given: { value: T } | undefined;
  #ended: { error?: unknown } | undefined;
  #isLeft = false;
  #wakeTaker: () => void = () => undefined;
  #wakeGiver: () => void = () => undefined;

  /** False when nobody takes any more. */
  async give(value: T): Promise<boolean> {
    if (this.#isLeft) return false;
    this.#given = { value };
    this.#wakeTaker();
    await new Promise<void>((resolve) => {
      this.#wakeGiver = resolve;
    });
    return !this.#isLeft;
  }

  end(error?: unknown): void {
    this.#ended = error === undefined ? {} : { error };
    this.#wakeTaker();
  }

  leave(): void {
    this.#isLeft = true;
    this.#wakeGiver();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      if (!this.#given && !this.#ended)
        await new Promise<void>((resolve) => {
          this.#wakeTaker = resolve;
        });
      if (this.#given) {
        const { value } = this.#given;
        this.#given = undefined;
        yield value;
        this.#wakeGiver();
      } else if (this.#ended) {
        if ('error' in this.#ended) throw this.#ended.error;
        return;
      }
    }
  }
}

/** Drivers put a code or a number on what they throw; our own mistakes have neither. */
function isOfDriver(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return false;
  const { code, errno, number, errorNum } = error as unknown as Record<string, unknown>;
  return [code, errno, number, errorNum].some((mark) => mark !== undefined);
}
