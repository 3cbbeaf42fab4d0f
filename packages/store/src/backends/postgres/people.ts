import type { GroupRecord } from '../../nouns/groups.ts';
import type { KapsuleRecord } from '../../nouns/kapsules.ts';
import type { SessionRecord } from '../../nouns/sessions.ts';
import type { UserRecord } from '../../nouns/users.ts';
import type { Reach, SessionWithUser } from '../../store.ts';
import { keyOf } from './document-keys.ts';
import type { Session } from './session.ts';

/** A key of an id is the id in quotes. */
const SESSION_WITH_USER = {
  name: 'session with user',
  text: `
    SELECT s.doc AS session, u.doc AS "user" FROM kaptain.sessions s
    JOIN kaptain.users u ON u.id = btrim(s.keys ->> 'userId', '"') WHERE s.keys ->> 'tokenHash' = $1`,
};

const REACH = {
  name: 'reach',
  text: `
    WITH mine AS MATERIALIZED (
      SELECT id, doc, keys FROM kaptain.groups
      WHERE keys -> 'userIds' ? $1 AND ($2::text IS NULL OR keys -> 'kapsuleIds' ? $3::text)
    ), reached AS (
      SELECT btrim(k.key, '"') AS id FROM mine, jsonb_array_elements_text(mine.keys -> 'kapsuleIds') AS k (key)
      UNION SELECT id FROM kaptain.kapsules WHERE keys ->> 'ownerId' = $1
    )
    SELECT true AS "isGroup", id, doc FROM mine
    UNION ALL SELECT false, k.id, k.doc FROM reached JOIN kaptain.kapsules k ON k.id = reached.id
    WHERE $2::text IS NULL OR k.id = $2::text ORDER BY id`,
};

export async function sessionWithUser(
  session: Session,
  tokenHash: string,
): Promise<SessionWithUser | undefined> {
  const row = await session.get<{ session: string; user: string }>(SESSION_WITH_USER, keyOf(tokenHash));
  return (
    row && { session: JSON.parse(row.session) as SessionRecord, user: JSON.parse(row.user) as UserRecord }
  );
}

export async function reachOf(session: Session, userId: string, kapsuleId?: string): Promise<Reach> {
  const rows = await session.all<{ isGroup: boolean; doc: string }>(
    REACH,
    keyOf(userId),
    kapsuleId ?? null,
    kapsuleId === undefined ? null : keyOf(kapsuleId),
  );
  const parsed = <T>(isGroup: boolean) =>
    rows.filter((row) => row.isGroup === isGroup).map(({ doc }) => JSON.parse(doc) as T);
  return { groups: parsed<GroupRecord>(true), kapsules: parsed<KapsuleRecord>(false) };
}

const MARK = { name: 'change mark', text: 'SELECT pg_current_snapshot()::text AS mark' };

/** Which transactions are over: another text after every commit, and sometimes after somebody else's. */
export async function changeMark(session: Session): Promise<string> {
  return (await session.get<{ mark: string }>(MARK))?.mark ?? '';
}
