import { createHash } from 'node:crypto';
import type { Dependency } from '../../../saving.ts';
import { locks } from '../locks.ts';
import { quoted, tableOf } from '../noun-tables.ts';
import type { Session } from '../session.ts';
import { LOCK_MS } from '../tuning.ts';
import { decisionOf } from './decision.ts';

/** SQLSTATEs of our own: a document that the save depends on has changed; a row has a stale version. */
export const STALE = 'KAP01';
export const CONFLICT = 'KAP02';
/** The nouns that a save may depend on. */
const NOUNS: readonly Dependency['noun'][] = [
  'sessions',
  'apiKeys',
  'users',
  'kapsules',
  'groups',
  'extensionGrants',
];

const isUnchanged = (noun: string) => `
  WHEN '${noun}' THEN EXISTS (
    SELECT 1 FROM ${tableOf(noun)} t WHERE t.id = d.id AND (d.version IS NULL OR t.version = d.version))`;

const DECISION = decisionOf({
  version: 'p_versions[n]',
  storedVersion: 'v_known.version',
  isDeleted: 'v_known.is_dead',
  isSame: 'v_known.is_same',
});

/*
 * Whole saves on the server, all of one kapsule and in one transaction, so that they need one round trip and one fsync, and
 * hold the row of their kapsule's counters no longer than they work. Each statement of the function sees what was
 * committed before the statement, so what they depend on is compared when no other transaction can change the kapsule's
 * granules any more. Row by row, as on the embedded store: for few rows this takes a third of the time of the statement
 * that merges many (see merge.ts). When one of them is stale none is stored, and the caller tries them one by one.
 */
const BODY = `
DECLARE
  v_counter kapsule_data.granule_counts;
  v_known record;
  v_action text;
  v_now text;
  v_stale text;
  v_changes bigint := 0;
  v_stored text[] := '{}';
BEGIN
  -- Waits for a unit of work that other saves of the kapsule have overtaken.
  PERFORM pg_advisory_xact_lock_shared(${locks.kapsule('p_kapsule_id')});
  LOOP
    SELECT * INTO v_counter FROM kapsule_data.granule_counts c WHERE c.kapsule_id = p_kapsule_id FOR UPDATE;
    EXIT WHEN FOUND;
    -- A deletion of the kapsule that is under way ends first: it would not see the new counters.
    PERFORM 1 FROM kaptain.kapsules k WHERE k.id = p_kapsule_id FOR KEY SHARE;
    INSERT INTO kapsule_data.granule_counts (kapsule_id) VALUES (p_kapsule_id) ON CONFLICT DO NOTHING;
  END LOOP;
  SELECT d.noun || ' ' || d.id INTO v_stale FROM unnest(p_nouns, p_noun_ids, p_noun_versions) AS d (noun, id, version)
  WHERE NOT CASE d.noun ${NOUNS.map(isUnchanged).join('')} ELSE false END LIMIT 1;
  IF FOUND THEN RAISE EXCEPTION USING ERRCODE = '${STALE}', MESSAGE = v_stale; END IF;
  v_now := greatest(p_now COLLATE "C", v_counter.last_at);
  FOR n IN 1 .. cardinality(p_places) LOOP
    SELECT g.id, g.version, g.change, g.deleted_at IS NOT NULL AS is_dead, g."user" = p_users[n] AND g.data = p_data[n] AS is_same
    INTO v_known FROM kapsule_data.granules g WHERE g.place = v_counter.kapsule || ':' || p_places[n];
    v_action := ${DECISION};
    IF v_action = 'conflict' THEN
      RAISE EXCEPTION USING ERRCODE = '${CONFLICT}', MESSAGE = 'stale version';
    ELSIF v_action = 'insert' THEN
      v_changes := v_changes + 1;
      v_counter.total := v_counter.total + 1;
      INSERT INTO kapsule_data.granules
        (id, kapsule, version, change, created_at, updated_at, place, long_key, "user", data, search)
      VALUES (p_ids[n], v_counter.kapsule, 1, v_counter.last_change + v_changes, coalesce(p_created[n], v_now), v_now,
        v_counter.kapsule || ':' || p_places[n], p_long_keys[n], p_users[n], p_data[n], p_search[n]);
      v_stored := v_stored || p_ids[n] || '1'::text;
    ELSIF v_action = 'same' THEN
      v_stored := v_stored || v_known.id || v_known.version::text;
    ELSE
      v_changes := v_changes + 1;
      IF v_action = 'revive' THEN
        v_counter.total := v_counter.total + 1;
        v_counter.deleted := v_counter.deleted - 1;
      ELSIF v_known.change <= v_counter.reloaded_through THEN
        v_counter.reloaded := v_counter.reloaded - 1;
      END IF;
      INSERT INTO kapsule_data.granule_history (kapsule, id, version, updated_at, deleted_at, deleted_by, "user", data)
      SELECT g.kapsule, g.id, g.version, g.updated_at, g.deleted_at, g.deleted_by, g."user", g.data
      FROM kapsule_data.granules g WHERE g.id = v_known.id;
      UPDATE kapsule_data.granules g SET version = g.version + 1, change = v_counter.last_change + v_changes,
        updated_at = v_now, "user" = p_users[n], data = p_data[n], search = p_search[n], deleted_at = NULL, deleted_by = NULL
      WHERE g.id = v_known.id;
      v_stored := v_stored || v_known.id || (v_known.version + 1)::text;
    END IF;
  END LOOP;
  UPDATE kapsule_data.granule_counts SET total = v_counter.total, reloaded = v_counter.reloaded,
    deleted = v_counter.deleted, last_change = v_counter.last_change + v_changes, last_at = v_now
  WHERE kapsule = v_counter.kapsule;
  IF v_changes > 0 THEN
    INSERT INTO kapsule_data.granule_days AS d (kapsule, day, changes)
    VALUES (v_counter.kapsule, left(v_now, 10), v_changes)
    ON CONFLICT (kapsule, day) DO UPDATE SET changes = d.changes + excluded.changes;
  END IF;
  INSERT INTO kaptain.audit (id, version, doc, keys)
  SELECT e.id, 1, e.doc, e.keys::jsonb FROM unnest(p_entry_ids, p_entries, p_keys) AS e (id, doc, keys);
  INSERT INTO kaptain."toSeal" (id, version, doc, keys)
  SELECT w.id, 1, w.doc, '{}' FROM unnest(p_entry_ids, p_to_seal) AS w (id, doc) WHERE w.doc IS NOT NULL;
  RETURN v_stored;
END`;

/** Named by its text: versions of the service that run beside each other have each its own. */
const NAME = `kaptain.${quoted(`save ${createHash('sha256').update(BODY).digest('hex').slice(0, 12)}`)}`;

/** Once per version of the service. */
export async function createSaveFunction(session: Session): Promise<void> {
  const found = await session.get<{ known: string | null }>('SELECT to_regproc($1)::text AS known', NAME);
  if (found?.known) return;
  await session.exec(`
    CREATE FUNCTION ${NAME} (
      p_kapsule_id text, p_now text, p_nouns text[], p_noun_ids text[], p_noun_versions bigint[],
      p_entry_ids text[], p_entries text[], p_keys text[], p_to_seal text[],
      p_ids text[], p_places text[], p_long_keys text[], p_users text[], p_data text[], p_search text[],
      p_created text[], p_versions bigint[]
    ) RETURNS text[] LANGUAGE plpgsql SET lock_timeout = '${LOCK_MS}ms' AS $function$${BODY}$function$`);
}

export const SAVE = {
  name: 'save',
  text: `SELECT ${NAME}(${Array.from({ length: 17 }, (_, n) => `$${n + 1}`).join()}) AS stored`,
};
