import { isOnField, type Lock, type SaverCondition, type SeenLock } from './lock.ts';

/** The person who saves, and when. */
export interface Saver {
  /** Absent for a person without an account. */
  username?: string | undefined;
  groupIds: ReadonlySet<string>;
  /** ISO 8601 in UTC. */
  now: string;
}

function holds(condition: SaverCondition, { username, groupIds, now }: Saver): boolean {
  switch (condition.on) {
    case 'group':
      return condition.groupIds.some((id) => groupIds.has(id));
    case 'person':
      return username !== undefined && condition.usernames.includes(username);
    case 'time': {
      // As many characters as a day has compare whole days: "after" a day begins with the next one.
      const present = now.slice(0, condition.at.length);
      return condition.is === 'before' ? present < condition.at : present > condition.at;
    }
  }
}

function seenLock({ name, fields, closes, mayEnter, conditions }: Lock, saver: Saver): SeenLock | undefined {
  const onRow = conditions.filter(isOnField);
  const isMet = conditions.every((condition) => isOnField(condition) || holds(condition, saver));
  const common = { name, ...(fields && { fields }), ...(mayEnter && { mayEnter }) };
  if (closes === 'when') return isMet ? { ...common, closes, conditions: onRow } : undefined;
  if (!isMet) return { ...common, closes: 'when', conditions: [] };
  return onRow.length === 0 ? undefined : { ...common, closes, conditions: onRow };
}

/** The locks that can close a row to this person now. */
export const seenLocks = (locks: readonly Lock[], saver: Saver): SeenLock[] =>
  locks.map((lock) => seenLock(lock, saver)).filter((lock) => lock !== undefined);
