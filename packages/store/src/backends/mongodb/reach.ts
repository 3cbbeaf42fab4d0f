import type { Filter } from 'mongodb';
import type { GroupRecord } from '../../nouns/groups.ts';
import type { KapsuleRecord } from '../../nouns/kapsules.ts';
import type { SessionRecord } from '../../nouns/sessions.ts';
import type { UserRecord } from '../../nouns/users.ts';
import type { Reach, SessionWithUser } from '../../store.ts';
import type { Database } from './database.ts';
import { indexValue, type NounShape } from './shapes.ts';

const parsed = ({ doc }: NounShape): unknown => JSON.parse(doc);

export async function readSessionWithUser(
  database: Database,
  tokenHash: string,
): Promise<SessionWithUser | undefined> {
  const found = await database.noun('sessions').findOne({ 'u.tokenHash': indexValue(tokenHash) });
  const session = found && (parsed(found) as SessionRecord);
  const user = session && (await database.noun('users').findOne({ _id: session.userId }));
  return user ? { session, user: parsed(user) as UserRecord } : undefined;
}

/** Given a kapsule, only that one and the groups that hold it. */
export async function readReach(database: Database, userId: string, kapsuleId?: string): Promise<Reach> {
  const member = indexValue(userId);
  const holding = kapsuleId === undefined ? {} : { 'i.kapsuleIds': indexValue(kapsuleId) };
  const found = await database
    .noun('groups')
    .find({ 'i.userIds': member, ...holding })
    .sort({ _id: 1 })
    .toArray();
  const groups = found.map(parsed) as GroupRecord[];
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
  return { groups, kapsules: kapsules.map(parsed) as KapsuleRecord[] };
}
