import { isId } from '../../ids.ts';
import { readDocuments } from '../../nouns/read-documents.ts';
import { readers } from '../../nouns/readers.ts';
import type { SessionWithUser, VisibleKapsules } from '../../store.ts';
import { keyOf } from './document-keys.ts';
import type { Session } from './session.ts';

/** The snapshot of finished transactions: it differs after every commit, also after commits of other programs. */
const MARK = 'pg_current_snapshot()::text';

/** A key of an id is the id in quotes. */
const SESSIONS_WITH_USERS = {
  name: 'sessions with users',
  text: `
    SELECT s.doc AS session, u.doc AS "user", ${MARK} AS mark FROM kaptain.sessions s
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

/** As far as one kapsule goes, for many pairs of a user and a kapsule at once. */
const REACH_OF_PAIRS = {
  name: 'reach of pairs',
  text: `
    WITH wanted AS MATERIALIZED (
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS w (user_key, kapsule_key, id, n)
    )
    SELECT w.n, true AS "isGroup", false AS "isOwner", g.id, g.doc FROM wanted w
    JOIN kaptain.groups g ON g.keys -> 'kapsuleIds' ? w.kapsule_key AND g.keys -> 'userIds' ? w.user_key
    UNION ALL
    SELECT w.n, false, k.keys ->> 'ownerId' = w.user_key, k.id, k.doc FROM wanted w JOIN kaptain.kapsules k ON k.id = w.id
    ORDER BY id`,
};

/** By the hashes of their tokens. */
export async function sessionsWithUsers(
  session: Session,
  tokenHashes: readonly string[],
): Promise<Map<string, SessionWithUser>> {
  const rows = await session.all<{ session: string; user: string; mark: string }>(
    SESSIONS_WITH_USERS,
    tokenHashes.map(keyOf),
  );
  const found = rows.map((row) => ({
    session: readers.sessions(row.session),
    user: readers.users(row.user),
    mark: row.mark,
  }));
  return new Map(found.map((entry) => [entry.session.tokenHash, entry]));
}

interface ReachRow {
  isGroup: boolean;
  doc: string;
}

const docsOf = (rows: readonly ReachRow[], isGroup: boolean) =>
  rows.filter((row) => row.isGroup === isGroup).map(({ doc }) => doc);

const reachOfRows = (rows: readonly ReachRow[]): VisibleKapsules => ({
  groups: docsOf(rows, true).map(readers.groups),
  kapsules: docsOf(rows, false).map(readers.kapsules),
});

export async function visibleTo(session: Session, userId: string): Promise<VisibleKapsules> {
  const rows = await session.all<ReachRow>(REACH, keyOf(userId));
  return {
    groups: await readDocuments(docsOf(rows, true), readers.groups),
    kapsules: await readDocuments(docsOf(rows, false), readers.kapsules),
  };
}

/** A user and a kapsule as one text. */
export const pairOf = (userId: string, kapsuleId: string) => JSON.stringify([userId, kapsuleId]);

/** The rights of users on kapsules; none for a user who is in no group of the kapsule and does not own it. */
export async function visibleToPairs(
  session: Session,
  pairs: readonly string[],
): Promise<Map<string, VisibleKapsules>> {
  const split = pairs.map((pair) => JSON.parse(pair) as [userId: string, kapsuleId: string]);
  const rows = await session.all<ReachRow & { n: number; isOwner: boolean }>(
    REACH_OF_PAIRS,
    split.map(([userId]) => keyOf(userId)),
    split.map(([, kapsuleId]) => keyOf(kapsuleId)),
    split.map(([, kapsuleId]) => (isId(kapsuleId) ? kapsuleId : '')),
  );
  const byPair = Map.groupBy(rows, ({ n }) => n);
  const reachAt = (index: number): VisibleKapsules => {
    const own = byPair.get(index + 1) ?? [];
    return reachOfRows(own.some(({ isGroup, isOwner }) => isGroup || isOwner) ? own : []);
  };
  return new Map(pairs.map((pair, index) => [pair, reachAt(index)]));
}

const KAPSULES = {
  name: 'kapsules by ids',
  text: 'SELECT id, doc FROM kaptain.kapsules WHERE id = ANY($1)',
};

/** Their documents as text, by their ids. */
export async function kapsulesWith(session: Session, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await session.all<{ id: string; doc: string }>(KAPSULES, ids.filter(isId));
  return new Map(rows.map(({ id, doc }) => [id, doc]));
}

const CHANGE_MARK = { name: 'change mark', text: `SELECT ${MARK} AS mark` };

export async function changeMark(session: Session): Promise<string> {
  return (await session.get<{ mark: string }>(CHANGE_MARK))?.mark ?? '';
}
