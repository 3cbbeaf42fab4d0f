import { createHash } from 'node:crypto';
import type { Dependency } from '../../../saving.ts';
import { quoted, tableOf } from '../noun-tables.ts';
import type { Session } from '../session.ts';
import { INPUT_COLUMNS } from './input.ts';
import { mergeOf } from './merge.ts';

/** SQLSTATEs of our own: a document that the save depends on has changed; a row has a stale version. */
export const STALE = 'KAP01';
export const CONFLICT = 'KAP02';
/** How long a save waits for others of its kapsule before it makes room and tries again. */
export const LOCK_MS = 300;

/** The nouns that a save may depend on. */
const NOUNS: readonly Dependency['noun'][] = ['sessions', 'apiKeys', 'users', 'kapsules', 'groups'];

const isUnchanged = (noun: string) => `
  WHEN '${noun}' THEN EXISTS (
    SELECT 1 FROM ${tableOf(noun)} t WHERE t.id = d.id AND (d.version IS NULL OR t.version = d.version))`;

/** The merge of the interactive way, on the function's variables instead of values. */
const VARIABLES = [
  'v_counter.kapsule',
  'v_counter.last_change',
  'v_counter.reloaded_through',
  'v_now',
  "(v_counter.kapsule || ':')",
  'p_rows',
];
const merge = mergeOf(
  `SELECT * FROM json_to_recordset($6) AS i (${INPUT_COLUMNS})`,
  `SELECT json_agg(json_build_array(coalesce(known, id),
       coalesce(stored, 0) + CASE WHEN action = 'same' THEN 0 ELSE 1 END) ORDER BY n),
     count(*) FILTER (WHERE action = 'conflict'), count(*) FILTER (WHERE action = 'insert'),
     count(*) FILTER (WHERE action = 'replace'), count(*) FILTER (WHERE action = 'revive'),
     count(*) FILTER (WHERE action = 'replace' AND change <= $3)
   INTO v_stored, v_conflicts, v_inserted, v_replaced, v_revived, v_overtaken FROM matched`,
).replace(/\$(\d)/g, (_, place: string) => VARIABLES[Number(place) - 1] ?? '');

/*
 * A whole save on the server, so that it needs one round trip and holds the row of its kapsule's counters no longer than
 * it works. Each statement of the function sees what was committed before the statement, so what it depends on is
 * compared when no other transaction can change the kapsule's granules any more.
 */
const BODY = `
DECLARE
  v_counter kapsule_data.granule_counts;
  v_now text; v_stale text; v_stored json; v_changes bigint;
  v_conflicts bigint; v_inserted bigint; v_replaced bigint; v_revived bigint; v_overtaken bigint;
BEGIN
  LOOP
    SELECT * INTO v_counter FROM kapsule_data.granule_counts c WHERE c.kapsule_id = p_kapsule_id FOR UPDATE;
    EXIT WHEN FOUND;
    -- A deletion of the kapsule that is under way ends first: it would not see the new counters.
    PERFORM 1 FROM kaptain.kapsules k WHERE k.id = p_kapsule_id FOR KEY SHARE;
    INSERT INTO kapsule_data.granule_counts (kapsule_id) VALUES (p_kapsule_id) ON CONFLICT DO NOTHING;
  END LOOP;
  SELECT d.noun || ' ' || d.id INTO v_stale FROM unnest(p_nouns, p_ids, p_versions) AS d (noun, id, version)
  WHERE NOT CASE d.noun ${NOUNS.map(isUnchanged).join('')} ELSE false END LIMIT 1;
  IF FOUND THEN RAISE EXCEPTION USING ERRCODE = '${STALE}', MESSAGE = v_stale; END IF;
  v_now := greatest(p_now COLLATE "C", v_counter.last_at);
  ${merge};
  IF v_conflicts > 0 THEN RAISE EXCEPTION USING ERRCODE = '${CONFLICT}', MESSAGE = 'stale version'; END IF;
  v_changes := v_inserted + v_replaced + v_revived;
  UPDATE kapsule_data.granule_counts SET total = total + v_inserted + v_revived, reloaded = reloaded - v_overtaken,
    deleted = deleted - v_revived, last_change = last_change + v_changes, last_at = v_now
  WHERE kapsule = v_counter.kapsule;
  IF v_changes > 0 THEN
    INSERT INTO kapsule_data.granule_days AS d (kapsule, day, changes)
    VALUES (v_counter.kapsule, left(v_now, 10), v_changes)
    ON CONFLICT (kapsule, day) DO UPDATE SET changes = d.changes + excluded.changes;
  END IF;
  INSERT INTO kaptain.audit (id, version, doc, keys) VALUES (p_entry_id, 1, p_entry, p_keys);
  IF p_to_seal IS NOT NULL THEN
    INSERT INTO kaptain."toSeal" (id, version, doc, keys) VALUES (p_entry_id, 1, p_to_seal, '{}');
  END IF;
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
      p_kapsule_id text, p_rows json, p_now text, p_nouns text[], p_ids text[], p_versions bigint[],
      p_entry_id text, p_entry text, p_keys jsonb, p_to_seal text
    ) RETURNS json LANGUAGE plpgsql SET lock_timeout = '${LOCK_MS}ms' AS $function$${BODY}$function$`);
}

export const SAVE = {
  name: 'save',
  text: `SELECT ${NAME}($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS stored`,
};
