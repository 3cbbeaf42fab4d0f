import type { Nouns } from '@kaptain/store';

/** Ends the sessions of a user and revokes what was derived from them: all, or all but one. */
export async function endSessions(nouns: Nouns, userId: string, except?: string): Promise<number> {
  const sessions = await nouns.sessions.findBy('userId', userId);
  const ending = sessions.filter(({ id }) => id !== except);
  for (const { id } of ending) await nouns.sessions.remove(id);
  for (const { id, sessionId } of await nouns.tickets.findBy('userId', userId))
    if (sessionId !== except) await nouns.tickets.remove(id);
  for (const { id, sessionId } of await nouns.extensionGrants.findBy('userId', userId))
    if (sessionId !== except) await nouns.extensionGrants.remove(id);
  return ending.length;
}

/** Removes the API keys of a user who may no longer have any. */
export async function removeApiKeysOf(nouns: Nouns, userId: string): Promise<string[]> {
  const keys = await nouns.apiKeys.findBy('userId', userId);
  for (const { id } of keys) await nouns.apiKeys.remove(id);
  return keys.map(({ name }) => name);
}
