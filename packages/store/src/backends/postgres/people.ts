import type { GroupRecord } from '../../nouns/groups.ts';
import type { KapsuleRecord } from '../../nouns/kapsules.ts';
import type { SessionRecord } from '../../nouns/sessions.ts';
import type { UserRecord } from '../../nouns/users.ts';
import type { Reach, SessionWithUser } from '../../store.ts';
import { keyOf } from './document-keys.ts';
import type { Session } from './session.ts';

/** A key of an id is the id in quotes. */
const SESSIONS_WITH_USERS = {
  name: 'sessions with users',
  text: `
    SELECT s.doc AS session, u.doc AS "user" FROM kaptain.sessions s
    JOIN kaptain.users u ON u.id = btrim(s.keys ->> 'userId', '"') WHERE s.keys ->> 'tokenHash' = ANY($1)`,
};

const REACH = {
  name: 'reach',
  text: `
    WITH mine AS MATERIALIZED (
      SELECT id, doc, keys FROM kaptain.groups
      WHERE keys -> 'userIds' ? $1
    ), reached AS (
      SELECT btrim(k.key, '"') AS id FROM mine, jsonb_array_elements_text(mine.keys -> 'kapsuleIds') AS k (key)
      UNION SELECT id FROM kaptain.kapsules WHERE keys ->> 'ownerId' = $1
    )
    SELECT true AS "isGroup", id, doc FROM mine
    UNION ALL SELECT false, k.id, k.doc FROM reached JOIN kaptain.kapsules k ON k.id = reached.id
    ORDER BY id`,
};

/** As far as one kapsule goes, whose key and id come second and third. */
const REACH_OF_ONE = {
  name: 'reach of one',
  text: `
    WITH mine AS MATERIALIZED (
      SELECT id, doc FROM kaptain.groups WHERE keys -> 'kapsuleIds' ? $2 AND keys -> 'userIds' ? $1
    )
    SELECT true AS "isGroup", id, doc FROM mine
    UNION ALL SELECT false, id, doc FROM kaptain.kapsules
    WHERE id = $3 AND (keys ->> 'ownerId' = $1 OR EXISTS (SELECT 1 FROM mine))
    ORDER BY id`,
};

/** By the hashes of their tokens. */
export async function sessionsWithUsers(
  session: Session,
  tokenHashes: readonly string[],
): Promise<Map<string, SessionWithUser>> {
  const rows = await session.all<{ session: string; user: string }>(
    SESSIONS_WITH_USERS,
    tokenHashes.map(keyOf),
  );
  const found = rows.map((row) => ({
    session: JSON.parse(row.session) as SessionRecord,
    user: JSON.parse(row.user) as UserRecord,
  }));
  return new Map(found.map((entry) => [entry.session.tokenHash, entry]));
}

interface ReachRow {
  isGroup: boolean;
  doc: string;
}

export async function reachOf(session: Session, userId: string, kapsuleId?: string): Promise<Reach> {
  const user = keyOf(userId);
  const rows = await (kapsuleId === undefined
    ? session.all<ReachRow>(REACH, user)
    : session.all<ReachRow>(REACH_OF_ONE, user, keyOf(kapsuleId), kapsuleId));
  const parsed = <T>(isGroup: boolean) =>
    rows.filter((row) => row.isGroup === isGroup).map(({ doc }) => JSON.parse(doc) as T);
  return { groups: parsed<GroupRecord>(true), kapsules: parsed<KapsuleRecord>(false) };
}

const MARK = { name: 'change mark', text: 'SELECT pg_current_snapshot()::text AS mark' };

/** Which transactions are over: another text after every commit, and sometimes after somebody else's. */
export async function changeMark(session: Session): Promise<string> {
  return (await session.get<{ mark: string }>(MARK))?.mark ?? '';
}
