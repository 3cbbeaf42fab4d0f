import { ConflictCollector, UnavailableError } from '../../../errors.ts';
import { isCollision } from '../driver-errors.ts';
import type { Session } from '../session.ts';
import { type Counter, lockCounter, saveCounter, timeFor } from './counters.ts';
import { INPUT_DECISION } from './decision.ts';
import { prefixOf } from './input.ts';
import { mergeMany, readConflicts, type Source } from './merge.ts';
import type { Slice } from './stage.ts';

/** Of the rows of a key only the last one counts. */
const lastOfKeys = (condition: string): Source => ({
  sql: `SELECT DISTINCT ON (place) * FROM granule_import WHERE $6 AND ${condition} ORDER BY place, n DESC`,
  values: [true],
});

/** Writes the rows of granule_import while the transaction holds the kapsule's counters. */
export async function writeLocked(session: Session, counter: Counter): Promise<void> {
  const changesBefore = counter.lastChange;
  await merge(session, counter, timeFor(counter), lastOfKeys('true'));
  await saveCounter(session, counter, counter.lastChange - changesBefore);
}

async function merge(session: Session, counter: Counter, now: string, source: Source): Promise<void> {
  const conflicts = new ConflictCollector();
  await readConflicts(session, counter, source, conflicts);
  conflicts.end();
  await mergeMany(session, counter, now, source);
}

const INSERT = `
  INSERT INTO kapsule_data.granules
    (id, kapsule, version, change, created_at, updated_at, place, long_key, "user", data, search)
  SELECT id, $1, 1, $2::bigint + n, coalesce(created_at, $3), $3, $4 || place, long_key, "user", data, search
  FROM granule_slice WHERE version IS NULL ON CONFLICT (place) DO NOTHING`;

/** Rows of known keys, and those that may only replace a certain version. */
const KEEP_OTHERS = `
  INSERT INTO granule_import SELECT * FROM granule_slice s
  WHERE NOT EXISTS (SELECT 1 FROM kapsule_data.granules g WHERE g.id = s.id)`;

/** "again": the key is new, and an earlier row of this import has inserted it. */
const REPLACE = `
  WITH known AS MATERIALIZED (
    SELECT DISTINCT ON (place) * FROM granule_import WHERE version IS NULL ORDER BY place, n DESC
  ), matched AS MATERIALIZED (
    SELECT i.n, i."user" AS new_user, i.data AS new_data, i.search AS new_search, i.created_at AS given_at, g.*,
      CASE WHEN g.change > $2 THEN 'again' ELSE ${INPUT_DECISION} END AS action
    FROM known i JOIN kapsule_data.granules g ON g.place = $4 || i.place AND g.kapsule + 0 = $1
    FOR NO KEY UPDATE OF g
  ), kept AS (
    INSERT INTO kapsule_data.granule_history (kapsule, id, version, updated_at, deleted_at, deleted_by, "user", data)
    SELECT kapsule, id, version, updated_at, deleted_at, deleted_by, "user", data FROM matched
    WHERE action IN ('replace', 'revive')
  ), earlier AS (
    INSERT INTO granule_replaced (change) SELECT change FROM matched WHERE action = 'replace'
  ), updated AS (
    UPDATE kapsule_data.granules g SET version = m.version + CASE m.action WHEN 'again' THEN 0 ELSE 1 END,
      created_at = CASE m.action WHEN 'again' THEN coalesce(m.given_at, $3) ELSE m.created_at END,
      change = $2::bigint + m.n, updated_at = $3, "user" = m.new_user, data = m.new_data, search = m.new_search,
      deleted_at = NULL, deleted_by = NULL
    FROM matched m WHERE g.id = m.id AND m.action <> 'same'
  )
  SELECT count(*) FILTER (WHERE action = 'replace') AS replaced, count(*) FILTER (WHERE action = 'revive') AS revived
  FROM matched`;

/**
 * The most changes that other writers of the kapsule can make during the import: deletions, restores and 20,000 saves. The
 * numbers that they leave are a gap in the order of changes.
 */
const roomFor = ({ total, deleted }: Counter): number => 20_000 + total + deleted;

/**
 * Writes beside other writers of the kapsule. The rows get change numbers above those of other writers, and no reader sees them
 * before the commit. A key that another transaction writes makes one of the two wait: the import for a save, or the save for
 * the import, which gives up after a short time and runs again.
 */
export class UnlockedWrites {
  readonly #session: Session;
  readonly #before: Counter;
  readonly #base: number;
  readonly #now: string;
  #inserted = 0;
  #hasVersions = false;
  rows = 0;

  constructor(session: Session, before: Counter) {
    this.#session = session;
    this.#before = before;
    this.#base = before.lastChange + roomFor(before);
    this.#now = timeFor(before);
  }

  get #values(): unknown[] {
    const { kapsule } = this.#before;
    return [kapsule, this.#base, this.#now, prefixOf(kapsule)];
  }

  /** The rows of granule_slice. */
  async add({ rows, hasVersions }: Slice): Promise<void> {
    const inserted = await this.#session.run(INSERT, ...this.#values);
    if (inserted < rows) await this.#session.exec(KEEP_OTHERS);
    await this.#session.exec('TRUNCATE granule_slice');
    this.#inserted += inserted;
    this.#hasVersions ||= hasVersions;
    this.rows += rows;
  }

  /** Replaces known keys, locks the counters for the last step, and writes the audit entry. */
  async publish(requireCounter: (counter?: Counter) => Counter, audit: () => Promise<void>): Promise<void> {
    const session = this.#session;
    const replaced = { replaced: 0, revived: 0 };
    if (this.#inserted < this.rows) Object.assign(replaced, await session.get(REPLACE, ...this.#values));
    const expected = await this.#overtaken(this.#before.reloadedThrough);
    const counter = requireCounter(await lockAtLast(session, this.#before.kapsuleId));
    // Only now, because it also checks rights and fields, which may have changed while the lock was waited for.
    await audit();
    if (counter.lastChange > this.#base)
      throw new UnavailableError('Too much was changed during the import; please import again.');
    const isAsBefore = counter.reloadedThrough === this.#before.reloadedThrough;
    counter.reloaded -= isAsBefore ? expected : await this.#overtaken(counter.reloadedThrough);
    counter.total += this.#inserted + replaced.revived;
    counter.deleted -= replaced.revived;
    const lastOfRows = this.#base + this.rows;
    counter.lastChange = lastOfRows;
    if (this.#hasVersions) await merge(session, counter, this.#now, lastOfKeys('version IS NOT NULL'));
    timeFor(counter);
    const merged = counter.lastChange - lastOfRows;
    await saveCounter(session, counter, this.#inserted + replaced.replaced + replaced.revived + merged);
  }

  /** How many replaced rows were reloaded before. */
  async #overtaken(reloadedThrough: number): Promise<number> {
    const sql = 'SELECT count(*) AS rows FROM granule_replaced WHERE change <= $1';
    return (await this.#session.get<{ rows: number }>(sql, reloadedThrough))?.rows ?? 0;
  }
}

/** A writer that holds the counters may wait for a row of the import: PostgreSQL then refuses one of the two. */
async function lockAtLast(session: Session, kapsuleId: string): Promise<Counter | undefined> {
  for (;;) {
    try {
      return await session.step(() => lockCounter(session, kapsuleId));
    } catch (error) {
      if (!isCollision(error)) throw error;
    }
  }
}
