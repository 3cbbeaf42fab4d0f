import type { Connection } from './connection.ts';
import { REMEMBERED_READS } from './tuning.ts';

/**
 * Remembers what a connection has read until another one commits, which SQLite counts (`data_version`): a change of rights by
 * any thread or process counts at the next read. What the connection itself writes must not be remembered.
 */
export class UnchangedReads {
  readonly #connection: Connection;
  readonly #known = new Map<string, unknown>();
  #version = -1;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The number of the last commit of another connection; forgets what was read before it. */
  refresh(): number {
    const { data_version: version } = this.#connection.get('PRAGMA data_version') as { data_version: number };
    if (version !== this.#version) this.#known.clear();
    this.#version = version;
    return version;
  }

  /** Returns the result of `read` since the last refresh, or calls it; undefined is not remembered. */
  known<T>(key: string, read: () => T): T {
    const remembered = this.#known.get(key) as T | undefined;
    if (remembered !== undefined) return remembered;
    const value = read();
    if (this.#known.size >= REMEMBERED_READS) this.#known.clear();
    if (value !== undefined) this.#known.set(key, value);
    return value;
  }
}
