import type { StoredGranule } from '../../granules.ts';
import type { Connection } from './connection.ts';
import { TooMuchStoredError } from './granules/upsert.ts';
import type { SaveRequest } from './save.ts';
import {
  DIRECT_SAVE_CHARACTERS,
  DIRECT_SAVE_ROWS,
  DIRECT_SAVE_STORED_CHARACTERS,
  FAST_DIRECT_SAVE_CREDIT,
  MOST_SLOW_DIRECT_SAVES,
  SLOW_DIRECT_SAVE_MS,
  SLOW_DIRECT_SAVE_PAUSE_MS,
} from './tuning.ts';

type Save = (request: SaveRequest, mostStored: number) => StoredGranule[];

type Result = { stored: StoredGranule[] } | { error: unknown };

const rowsOf = (saves: readonly SaveRequest[]) => saves.reduce((sum, { rows }) => sum + rows.length, 0);
const charactersOf = (saves: readonly SaveRequest[]) =>
  saves.reduce((sum, { rows }) => rows.reduce((more, [, , data]) => more + data.length, sum), 0);

/**
 * Commits a few small saves on the event loop's own connection: one row takes 0.3 ms on a fast disk, handing it to another
 * thread and back twice as long. Large saves, a locked file and a slow disk are left to the writer's thread.
 */
export class DirectSaves {
  readonly #connection: Connection;
  readonly #save: Save;
  #resumeAt = 0;
  /** Rises by one with each slow commit, falls by a fifth with each fast one. */
  #slow = 0;

  constructor(connection: Connection, save: Save) {
    this.#connection = connection;
    this.#save = save;
  }

  /** Returns undefined when the saves are for the writer's thread; the results are on the disk. */
  run(saves: readonly SaveRequest[]): Result[] | undefined {
    const began = performance.now();
    if (
      began < this.#resumeAt ||
      rowsOf(saves) > DIRECT_SAVE_ROWS ||
      charactersOf(saves) > DIRECT_SAVE_CHARACTERS
    )
      return undefined;
    if (!this.#begin()) return undefined;
    const results = this.#commit(saves);
    this.#note(performance.now() - began, results?.every((result) => 'stored' in result) === true);
    return results;
  }

  /** Counts slow saves; a refused save says nothing about the disk. */
  #note(ms: number, isStored: boolean): void {
    if (ms > SLOW_DIRECT_SAVE_MS) this.#slow += 1;
    else if (isStored) this.#slow = Math.max(0, this.#slow - FAST_DIRECT_SAVE_CREDIT);
    if (this.#slow < MOST_SLOW_DIRECT_SAVES) return;
    this.#resumeAt = performance.now() + SLOW_DIRECT_SAVE_PAUSE_MS;
    this.#slow = MOST_SLOW_DIRECT_SAVES - 1;
  }

  /** Waits for no other process: the writer's thread does, or reports why the file can't be written. */
  #begin(): boolean {
    try {
      this.#connection.withoutWaiting(() => this.#connection.run('BEGIN IMMEDIATE'));
      return true;
    } catch {
      return false;
    }
  }

  #commit(saves: readonly SaveRequest[]): Result[] | undefined {
    const connection = this.#connection;
    try {
      const results = saves.map((request) => ({
        stored: this.#save(request, DIRECT_SAVE_STORED_CHARACTERS),
      }));
      connection.run('COMMIT');
      return results;
    } catch (error) {
      // On a full disk SQLite has rolled back by itself.
      if (connection.inTransaction) connection.exec('ROLLBACK');
      // The writer's thread finds out which of several saves fails.
      return saves.length > 1 || error instanceof TooMuchStoredError ? undefined : [{ error }];
    }
  }
}
