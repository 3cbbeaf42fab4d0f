import type { Dependency, Nouns, UserRecord } from '@kaptain/store';
import type { Caller, ExtensionCaller, KnownCall } from '../../base/call/call.ts';
import type { PlatformPerson } from '../../base/call/caller.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { dependenciesOf, presentCaller } from '../../identity/sessions/present-caller.ts';
import type { AuthorId } from '../../identity/users/author-id.ts';
import { isAccountOf } from '../../identity/users/platform-person.ts';
import { authorOf } from './author.ts';

/** The writer of granules, as read now. */
export interface Writer {
  caller: Caller;
  /** The author's name on what they write; it is only shown. */
  author: string;
  /** Decides which comments are their own. */
  id: AuthorId;
  /** The proven user of the platform. */
  person?: PlatformPerson;
  /** The account of a person; absent for a server with an API key. */
  user?: UserRecord;
  /** The documents that the rights depend on, beside the kapsule and its groups. */
  dependsOn: Dependency[];
}

type Read = Pick<Nouns, 'apiKeys' | 'sessions' | 'users' | 'extensionGrants'>;

/** A person that the platform has proven; the grant exists as long as the proof counts. */
async function provenWriter(nouns: Read, caller: ExtensionCaller): Promise<Writer> {
  const { id, platformUser: author, person } = caller.extension;
  if (!person) throw new AppError('NOT_LOGGED_IN');
  const grant = await nouns.extensionGrants.get(id);
  if (!grant) throw new AppError('NOT_LOGGED_IN');
  const granted: Dependency = { noun: 'extensionGrants', id };
  if (caller.user === undefined) return { caller, author, id: person, person, dependsOn: [granted] };
  const user = await nouns.users.get(caller.userId);
  if (!user || !isAccountOf(user, person)) throw new AppError('NOT_LOGGED_IN');
  const present = { ...caller, role: user.role, isCreate: user.isCreate, user };
  return {
    caller: present,
    author,
    id: { account: user.id },
    person,
    user,
    dependsOn: [granted, { noun: 'users', id: user.id, version: user.version }],
  };
}

/** A person with a session, or a server with an API key. */
function writerOf(call: KnownCall, caller: Caller & { user: UserRecord }): Writer {
  const { user } = caller;
  const author = authorOf(call, user);
  const who =
    caller.apiKeyId === undefined ? { id: { account: user.id }, user } : { id: { namedByServer: author } };
  return { caller, author, ...who, dependsOn: dependenciesOf(caller) };
}

/** The writer as read with the session or the key, so that the request need not read them again. */
export function knownWriter(call: KnownCall): Writer | undefined {
  const { user, ...rest } = call.caller;
  const { sessionId, apiKeyId } = rest as Partial<ExtensionCaller>;
  if (!user || (sessionId === undefined && apiKeyId === undefined)) return undefined;
  return writerOf(call, { ...rest, user });
}

/** Reads the writer again, so that rights revoked since the request arrived no longer count. */
export async function presentWriter(nouns: Read, call: KnownCall): Promise<Writer> {
  const { extension, sessionId } = call.caller as Partial<ExtensionCaller>;
  if (extension && sessionId === undefined) return provenWriter(nouns, call.caller as ExtensionCaller);
  return writerOf(call, await presentCaller(nouns, call.caller));
}
