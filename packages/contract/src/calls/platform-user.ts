import type { PlatformUser } from './logs.ts';

/**
 * Parses `UserDirectory=CORP; UserId=ann` of the platform, `CORP\\ann` of a user's qlikId, or a bare name, to show it. A
 * name does not identify a person.
 */
export function parsePlatformUser(text: string): PlatformUser {
  const userId = /UserId=([^;]*)/i.exec(text)?.[1]?.trim();
  const userDirectory = /UserDirectory=([^;]*)/i.exec(text)?.[1]?.trim();
  if (userId) return { userId, ...(userDirectory && { userDirectory }) };
  const [, directory, name] = /^(.*)\\([^\\]+)$/.exec(text) ?? [];
  return name ? { userId: name, ...(directory && { userDirectory: directory }) } : { userId: text };
}
