import type { Nouns } from '@kaptain/store';
import { type AuditedCall, audit } from '../security/audit.ts';
import { followClaims } from '../security/follow-claims.ts';
import type { UsedProvider } from '../security/provider.ts';
import { mappedAccess } from '../security/provider-claims.ts';
import type { Tokens } from '../security/provider-client.ts';
import type { FlowState } from '../security/provider-flows.ts';
import { subjectKeyOf } from '../security/subject-key.ts';
import { RefusedPerson } from './admit-person.ts';

/** How far the clocks of provider and service may differ. */
const TOLERANCE_MS = 60_000;

const NO_TIME = 'The provider does not state when you signed in (claim auth_time), so this is no proof.';
const TOO_OLD = 'The provider did not ask you to sign in again, so this is no proof.';
const GONE = 'Your session has ended. Close this window and log in again.';

/** When the person showed who they are: after this flow began, by the clock of the provider. */
export async function provenAt(
  { idToken }: Pick<Tokens, 'idToken'>,
  { begunAt }: FlowState,
  now: number,
): Promise<string> {
  // Loaded on the first proof: most installations have no provider.
  const { decodeJwt } = await import('jose');
  // Of the signed ID token alone: userinfo need not be about this sign-in.
  const { auth_time: seconds } = decodeJwt(idToken);
  if (typeof seconds !== 'number' || !Number.isSafeInteger(seconds)) throw new RefusedPerson(NO_TIME);
  const at = seconds * 1000;
  if (at < begunAt - TOLERANCE_MS || at > now + TOLERANCE_MS) throw new RefusedPerson(TOO_OLD);
  return new Date(Math.min(at, now)).toISOString();
}

interface Proving {
  nouns: Nouns;
  call: AuditedCall;
  now: number;
}

/**
 * The user of the session that the proof is for; the claims change them as at every sign-in. Returns a refusal whose
 * reasons have to be stored.
 */
export async function provePerson(
  { nouns, call, now }: Proving,
  { query: sessionId }: FlowState,
  { claims }: Pick<Tokens, 'claims'>,
  { settings }: UsedProvider,
): Promise<{ userId: string } | RefusedPerson> {
  const session = await nouns.sessions.get(sessionId);
  const user = session && (await nouns.users.get(session.userId));
  if (!user) return new RefusedPerson(GONE);
  const actor = { id: user.id, username: user.username };
  if (user.subjectKey !== subjectKeyOf({ issuer: claims.iss, subject: claims.sub })) {
    const target = { noun: 'user', id: user.id, name: user.username };
    await audit(nouns, call, now, { action: 'session.proof', actor, target, result: 'refused' });
    return new RefusedPerson(`You signed in as another person than ${user.username}.`);
  }
  await followClaims({ nouns, call, now, actor }, user, mappedAccess(claims, settings));
  return (await nouns.sessions.get(sessionId)) ? { userId: user.id } : new RefusedPerson(GONE);
}
