import type { Filter } from 'mongodb';
import { readDocuments } from '../../nouns/read-documents.ts';
import { readers } from '../../nouns/readers.ts';
import type { UserRecord } from '../../nouns/users.ts';
import type { SessionWithUser, VisibleKapsules } from '../../store.ts';
import type { Database } from './database.ts';
import { indexValue, type NounShape } from './shapes.ts';

/** By the hashes of their tokens. */
export async function readSessionsWithUsers(
  database: Database,
  mark: string,
  tokenHashes: readonly string[],
): Promise<Map<string, SessionWithUser>> {
  const wanted = { 'u.tokenHash': { $in: tokenHashes.map(indexValue) } };
  const found = await database.noun('sessions').find(wanted).toArray();
  const sessions = found.map(({ doc }) => readers.sessions(doc));
  const userIds = sessions.map(({ userId }) => userId);
  const owners = await database
    .noun('users')
    .find({ _id: { $in: userIds } })
    .toArray();
  const users = new Map<string, UserRecord>(owners.map(({ _id, doc }) => [_id, readers.users(doc)]));
  const both = sessions.flatMap((session): SessionWithUser[] => {
    const user = users.get(session.userId);
    return user ? [{ session, user, mark }] : [];
  });
  return new Map(both.map((entry) => [entry.session.tokenHash, entry]));
}

/** Contains the mark of a unit that is still being applied, so that an answer built meanwhile is not kept. */
export async function readChangeMark(database: Database): Promise<string> {
  const projection = { mark: 1, applied: 1, stamp: 1 };
  const head = await database.head.findOne({ _id: 'head' }, { projection });
  return `${head?.applied}.${head?.mark}.${head?.stamp}`;
}

/** Given a kapsule, only that one and the groups that hold it. */
export async function readVisibleKapsules(
  database: Database,
  userId: string,
  kapsuleId?: string,
): Promise<VisibleKapsules> {
  const member = indexValue(userId);
  const holding = kapsuleId === undefined ? {} : { 'i.kapsuleIds': indexValue(kapsuleId) };
  const found = await database
    .noun('groups')
    .find({ 'i.userIds': member, ...holding })
    .sort({ _id: 1 })
    .toArray();
  const groups = await readDocuments(
    found.map(({ doc }) => doc),
    readers.groups,
  );
  const held = new Set(groups.flatMap(({ kapsuleIds }) => kapsuleIds));
  const own: Filter<NounShape> = { 'i.ownerId': member };
  const kapsules = await database
    .noun('kapsules')
    .find({
      $or: [{ _id: { $in: [...held] } }, own],
      ...(kapsuleId !== undefined && { _id: kapsuleId }),
    })
    .sort({ _id: 1 })
    .toArray();
  return {
    groups,
    kapsules: await readDocuments(
      kapsules.map(({ doc }) => doc),
      readers.kapsules,
    ),
  };
}
