import type { PlatformPerson } from '../../base/call/caller.ts';

/**
 * The identity of an author. Names are shown and never compared: two people may have the same one, and many can choose
 * theirs. Issuer and subject of the company sign-in lead to an account (subject-key.ts), so its people are accounts here.
 */
export type AuthorId =
  | { account: string }
  | PlatformPerson
  /** A person whom a server with an API key has named; such a person does not sign in. */
  | { namedByServer: string };

/** The form in which authors are stored and compared; it is never taken apart. */
export function authorKey(id: AuthorId): string {
  if ('account' in id) return JSON.stringify(['account', id.account]);
  if ('namedByServer' in id) return JSON.stringify(['server', id.namedByServer]);
  return JSON.stringify(['platform', id.directory, id.userId]);
}
