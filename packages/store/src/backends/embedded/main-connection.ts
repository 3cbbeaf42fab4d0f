import type { StoredGranule } from '../../granules.ts';
import { type NounName, nounNames, nouns } from '../../nouns/all.ts';
import type { KapsuleRecord } from '../../nouns/kapsules.ts';
import { readers } from '../../nouns/readers.ts';
import type { SessionWithUser, VisibleKapsules } from '../../store.ts';
import { TimeSlice } from '../../time-slice.ts';
import type { DocumentMethod } from '../shared/typed-documents.ts';
import type { Schema } from '../shared/upgrades/schema.ts';
import { Connection } from './connection.ts';
import { DocumentTable } from './documents.ts';
import { indexValue } from './noun-tables.ts';
import { type SaveRequest, save } from './save.ts';
import { MAIN_CACHE_KIB, READ_BUSY_MS } from './tuning.ts';
import { UnchangedReads } from './unchanged-reads.ts';
import { readActiveSchema } from './upgrades/schema-state.ts';

const SESSION_WITH_USER = `
  SELECT s.doc AS session, u.doc AS user FROM sessions_unique i
  JOIN sessions s ON s.id = i.id JOIN users u ON u.id = s.doc ->> '$.userId'
  WHERE i.field = 'tokenHash' AND i.value = ?`;

const VISIBLE_TO = `
  WITH mine AS MATERIALIZED (
    SELECT g.id, g.doc FROM groups_index i CROSS JOIN groups g ON g.id = i.id
    WHERE i.field = 'userIds' AND i.value = ?1
      AND (?2 IS NULL OR EXISTS (SELECT 1 FROM json_each(g.doc, '$.kapsuleIds') k WHERE k.value = ?2))
  ), reached AS (
    SELECT k.value AS id FROM mine, json_each(mine.doc, '$.kapsuleIds') k
    UNION SELECT i.id FROM kapsules_index i WHERE i.field = 'ownerId' AND i.value = ?1
  )
  SELECT 1 AS isGroup, id, doc FROM mine
  UNION ALL SELECT 0, reached.id, NULL FROM reached WHERE ?2 IS NULL OR reached.id = ?2 ORDER BY id`;

/** The nouns that saves on the event loop's own connection write. */
const SAVED: ReadonlySet<NounName> = new Set<NounName>(['audit', 'toSeal']);

const END = { docs: [], last: undefined };

interface SessionRow {
  session: string;
  user: string;
}

/**
 * The event loop's own connection: reads of small nouns, because a look-up costs 4 µs and asking another thread for it
 * 33 µs, and small saves. One connection for both keeps its page cache after its own commits.
 */
export class MainConnection {
  readonly connection: Connection;
  readonly schema: Schema;
  readonly #tables: Record<string, DocumentTable>;
  readonly #unchanged: UnchangedReads;
  #saves = 0;

  constructor(file: string) {
    this.connection = new Connection(file, { readOnly: false, busyMs: READ_BUSY_MS, isRetrying: true });
    // A checkpoint would block the event loop: the writers' threads make them.
    this.connection.exec(`
      PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -${MAIN_CACHE_KIB};
      PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY`);
    this.#unchanged = new UnchangedReads(this.connection);
    this.schema = readActiveSchema(this.connection).schema;
    this.#tables = Object.fromEntries(
      nounNames.map((name) => [name, new DocumentTable(this.connection, nouns[name], this.schema)]),
    );
  }

  async onDocument(noun: NounName, method: DocumentMethod, args: unknown[]): Promise<unknown> {
    if (method === 'get' && !SAVED.has(noun)) return this.#text(noun, String(args[0]));
    if (method === 'all') return this.#all(noun);
    const table = this.#tables[noun] as unknown as Record<string, (...args: unknown[]) => unknown>;
    return table[method]?.(...args);
  }

  /** Pauses for other requests, because the documents may be many megabytes. */
  async #all(noun: NounName): Promise<string[]> {
    const found: string[] = [];
    const slice = new TimeSlice();
    for (let after: string | undefined = ''; after !== undefined; ) {
      const { docs, last }: ReturnType<DocumentTable['some']> = this.#tables[noun]?.some(after) ?? END;
      for (const doc of docs) found.push(doc);
      after = last;
      if (slice.isOver) await slice.pause();
    }
    return found;
  }

  #text(noun: NounName, id: string): string | undefined {
    this.#unchanged.refresh();
    return this.#unchanged.known(`${noun} ${id}`, () => this.#tables[noun]?.get(id));
  }

  save(request: SaveRequest, mostStored: number): StoredGranule[] {
    this.#saves += 1;
    this.#unchanged.refresh();
    const versionOf = (noun: NounName, id: string) =>
      this.#unchanged.known(`version ${noun} ${id}`, () => this.#tables[noun]?.versionOf(id));
    return save(this.connection, this.#tables, request, versionOf, mostStored);
  }

  /** SQLite counts what other connections commit; saves of this one are counted here. */
  changeMark(): string {
    return `${this.#unchanged.refresh()}.${this.#saves}`;
  }

  async visibleTo(userId: string, kapsuleId?: string): Promise<VisibleKapsules> {
    const rows = this.connection.all<{ isGroup: number; id: string; doc: string | null }>(
      VISIBLE_TO,
      indexValue(userId),
      kapsuleId ?? null,
    );
    const groups = rows.flatMap(({ doc }) => (doc === null ? [] : readers.groups(doc)));
    const kapsules: KapsuleRecord[] = [];
    const slice = new TimeSlice();
    for (const { id } of rows.filter(({ isGroup }) => isGroup === 0)) {
      // The ids of deleted kapsules stay in groups for a while.
      const doc = this.#tables['kapsules']?.get(id);
      if (doc !== undefined) kapsules.push(readers.kapsules(doc));
      if (slice.isOver) await slice.pause();
    }
    return { groups, kapsules };
  }

  sessionWithUser(tokenHash: string): SessionWithUser | undefined {
    const mark = this.changeMark();
    const found = this.#unchanged.known(`token ${tokenHash}`, () => this.#readSession(tokenHash));
    return found && { ...found, mark };
  }

  /** Frozen, because several requests get the same ones. */
  #readSession(tokenHash: string): Omit<SessionWithUser, 'mark'> | undefined {
    const row = this.connection.get(SESSION_WITH_USER, indexValue(tokenHash)) as SessionRow | undefined;
    if (!row) return undefined;
    return {
      session: Object.freeze(readers.sessions(row.session)),
      user: Object.freeze(readers.users(row.user)),
    };
  }
}
