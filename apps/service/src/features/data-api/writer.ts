import type { Dependency, Nouns } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import type { Caller, ExtensionCaller, KnownCall } from '../../http/call.ts';
import { isAccountOf } from '../../security/platform-person.ts';
import { dependenciesOf, presentCaller } from '../../security/present-caller.ts';
import { authorOf } from './author.ts';

/** Who writes granules, as read now. */
export interface Writer {
  caller: Caller;
  author: string;
  /** What the rights depend on, beside the kapsule and its groups. */
  dependsOn: Dependency[];
}

type Read = Pick<Nouns, 'apiKeys' | 'sessions' | 'users' | 'extensionGrants'>;

/** A person that the platform has proven; the grant exists as long as the proof counts. */
async function provenWriter(nouns: Read, caller: ExtensionCaller): Promise<Writer> {
  const { id, platformUser: author } = caller.extension;
  const grant = await nouns.extensionGrants.get(id);
  if (!grant) throw new AppError('NOT_LOGGED_IN');
  const granted: Dependency = { noun: 'extensionGrants', id };
  if (caller.user === undefined) return { caller, author, dependsOn: [granted] };
  const user = await nouns.users.get(caller.userId);
  if (!user || !isAccountOf(user, author)) throw new AppError('NOT_LOGGED_IN');
  const present = { ...caller, role: user.role, isCreate: user.isCreate, user };
  return {
    caller: present,
    author,
    dependsOn: [granted, { noun: 'users', id: user.id, version: user.version }],
  };
}

/** The writer as read with the session or the key, so that the request need not read them again. */
export function knownWriter(call: KnownCall): Writer | undefined {
  const { user, ...rest } = call.caller;
  const { sessionId, apiKeyId } = rest as Partial<ExtensionCaller>;
  if (!user || (sessionId === undefined && apiKeyId === undefined)) return undefined;
  const caller = { ...rest, user };
  return { caller, author: authorOf(call, user), dependsOn: dependenciesOf(caller) };
}

/** Reads the writer again, so that rights revoked since the request arrived no longer count. */
export async function presentWriter(nouns: Read, call: KnownCall): Promise<Writer> {
  const { extension, sessionId } = call.caller as Partial<ExtensionCaller>;
  if (extension && sessionId === undefined) return provenWriter(nouns, call.caller as ExtensionCaller);
  const caller = await presentCaller(nouns, call.caller);
  return { caller, author: authorOf(call, caller.user), dependsOn: dependenciesOf(caller) };
}
