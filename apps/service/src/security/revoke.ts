import type { Nouns } from '@kaptain/store';

/** Ends the sessions of a user, and the downloads they promised; all of them, or all but one. */
export async function endSessions(nouns: Nouns, userId: string, except?: string): Promise<number> {
  const sessions = await nouns.sessions.findBy('userId', userId);
  const ending = sessions.filter(({ id }) => id !== except);
  for (const { id } of ending) await nouns.sessions.remove(id);
  for (const { id, sessionId } of await nouns.tickets.findBy('userId', userId))
    if (sessionId !== except) await nouns.tickets.remove(id);
  return ending.length;
}

/** A key acts as its creator: it goes when they may no longer have one. */
export async function removeApiKeysOf(nouns: Nouns, userId: string): Promise<string[]> {
  const keys = await nouns.apiKeys.findBy('userId', userId);
  for (const { id } of keys) await nouns.apiKeys.remove(id);
  return keys.map(({ name }) => name);
}
