import { ConflictCollector, UnavailableError } from '../../../errors.ts';
import { isCollision } from '../driver-errors.ts';
import type { Session } from '../session.ts';
import { type Counter, lockCounter, saveCounter, timeFor } from './counters.ts';
import { prefixOf } from './input.ts';
import { mergeMany, readConflicts, type Source } from './merge.ts';
import type { Staged } from './stage.ts';

/** Of the rows of a key only the last one counts. */
const LAST_OF_KEYS: Source = {
  sql: 'SELECT DISTINCT ON (place) * FROM granule_import WHERE $6 ORDER BY place, n DESC',
  given: [true],
};

/** Writes what is staged while the transaction holds the kapsule's counters. */
export async function writeLocked(session: Session, counter: Counter): Promise<void> {
  const changesBefore = counter.lastChange;
  const now = timeFor(counter);
  const conflicts = new ConflictCollector();
  await readConflicts(session, counter, LAST_OF_KEYS, conflicts);
  conflicts.end();
  await mergeMany(session, counter, now, LAST_OF_KEYS);
  await saveCounter(session, counter, counter.lastChange - changesBefore);
}

/*
 * Writes beside other writers of the kapsule. The rows get change numbers far above the last one, so that changes of others
 * stay below them; readers see neither before the commit. A key that another transaction writes makes one of the two wait:
 * the import for a save, or the save for the import, which gives up after a short time and runs again.
 */
const INSERT = `
  INSERT INTO kapsule_data.granules
    (id, kapsule, version, change, created_at, updated_at, place, long_key, "user", data, search)
  SELECT id, $1, 1, $2::bigint + n, coalesce(created_at, $3), $3, $4 || place, long_key, "user", data, search
  FROM granule_import ON CONFLICT (place) DO NOTHING`;

/** Rows of known keys; "again": the key is new, and an earlier row of this import has just inserted it. */
const REPLACE = `
  WITH known AS MATERIALIZED (
    SELECT DISTINCT ON (i.place) i.* FROM granule_import i
    WHERE NOT EXISTS (SELECT 1 FROM kapsule_data.granules g WHERE g.id = i.id) ORDER BY i.place, i.n DESC
  ), matched AS MATERIALIZED (
    SELECT i.n, i."user" AS new_user, i.data AS new_data, i.search AS new_search, i.created_at AS given_at, g.*,
      CASE
        WHEN g.change > $2 THEN 'again'
        WHEN g.deleted_at IS NOT NULL THEN 'revive'
        WHEN g."user" = i."user" AND g.data = i.data THEN 'same'
        ELSE 'replace'
      END AS action
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

/** What other writers may change meanwhile: far more than they can in the time that so many rows take. */
const roomFor = (rows: number) => Math.max(20_000, Math.ceil(rows / 5));

/** `require` refuses counters of another kapsule, as when this one was deleted. */
export async function writeUnlocked(
  session: Session,
  before: Counter,
  { rows }: Staged,
  require: (counter: Counter | undefined) => Counter,
): Promise<void> {
  const base = before.lastChange + roomFor(rows);
  const values = [before.kapsule, base, timeFor(before), prefixOf(before.kapsule)];
  await session.exec('CREATE TEMP TABLE granule_replaced (change bigint)');
  const inserted = await session.run(INSERT, ...values);
  const written = { replaced: 0, revived: 0 };
  if (inserted < rows)
    Object.assign(written, await session.get<{ replaced: number; revived: number }>(REPLACE, ...values));
  const counter = require(await lockAtLast(session, before.kapsuleId));
  if (counter.lastChange > base)
    throw new UnavailableError('Too much was changed during the import; please import again.');
  const overtaken = await session.get<{ rows: number }>(
    'SELECT count(*) AS rows FROM granule_replaced WHERE change <= $1',
    counter.reloadedThrough,
  );
  timeFor(counter);
  counter.lastChange = base + rows;
  counter.total += inserted + written.revived;
  counter.deleted -= written.revived;
  counter.reloaded -= overtaken?.rows ?? 0;
  await saveCounter(session, counter, inserted + written.replaced + written.revived);
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
