import type { Nouns } from '@kaptain/store';

/** Removes what was derived from sessions of a user. */
async function removeDerived(nouns: Nouns, userId: string, isOver: (sessionId: string | null) => boolean) {
  for (const { id, sessionId } of await nouns.tickets.findBy('userId', userId))
    if (isOver(sessionId)) await nouns.tickets.remove(id);
  for (const { id, sessionId } of await nouns.extensionGrants.findBy('userId', userId))
    if (isOver(sessionId)) await nouns.extensionGrants.remove(id);
  for (const { id, sessionId } of await nouns.providerSessions.findBy('userId', userId))
    if (isOver(sessionId)) await nouns.providerSessions.remove(id);
}

/** Ends the sessions of a user and revokes what was derived from them: all, or all but one. */
export async function endSessions(nouns: Nouns, userId: string, except?: string): Promise<number> {
  const sessions = await nouns.sessions.findBy('userId', userId);
  const ending = sessions.filter(({ id }) => id !== except);
  for (const { id } of ending) await nouns.sessions.remove(id);
  await removeDerived(nouns, userId, (sessionId) => sessionId !== except);
  // A login that waits for its second factor was begun with what is revoked now.
  for (const { id } of await nouns.challenges.findBy('userId', userId)) await nouns.challenges.remove(id);
  return ending.length;
}

/** Ends one session and revokes what was derived from it; returns whether it was a session of this user. */
export async function endSession(nouns: Nouns, userId: string, sessionId: string): Promise<boolean> {
  const session = await nouns.sessions.get(sessionId);
  if (session?.userId !== userId) return false;
  await nouns.sessions.remove(sessionId);
  await removeDerived(nouns, userId, (id) => id === sessionId);
  return true;
}

/** Removes the API keys of a user who may no longer have any. */
export async function removeApiKeysOf(nouns: Nouns, userId: string): Promise<string[]> {
  const keys = await nouns.apiKeys.findBy('userId', userId);
  for (const { id } of keys) await nouns.apiKeys.remove(id);
  return keys.map(({ name }) => name);
}
