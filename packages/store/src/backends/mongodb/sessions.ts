import type { SessionWithUser } from '../../store.ts';
import type { Database } from './database.ts';
import { readChangeMark, readSessionsWithUsers } from './request-reads.ts';
import { REMEMBERED_SESSIONS } from './tuning.ts';

/** Sessions with their users, kept while nothing in the database changes: mostly one question, where reading takes two. */
export class KnownSessions {
  readonly #database: Database;
  #mark = '';
  #sessions = new Map<string, SessionWithUser>();

  constructor(database: Database) {
    this.#database = database;
  }

  async find(tokenHashes: readonly string[]): Promise<ReadonlyMap<string, SessionWithUser>> {
    // Before anything is read: a change in between makes the mark too old, never what is kept under it.
    const mark = await readChangeMark(this.#database);
    if (mark !== this.#mark || this.#sessions.size > REMEMBERED_SESSIONS) this.#sessions = new Map();
    this.#mark = mark;
    const sessions = this.#sessions;
    const missing = tokenHashes.filter((hash) => !sessions.has(hash));
    if (missing.length === 0) return sessions;
    for (const [hash, found] of await readSessionsWithUsers(this.#database, mark, missing))
      sessions.set(hash, found);
    return sessions;
  }
}
