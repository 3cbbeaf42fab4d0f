import type { Nouns } from '@kaptain/store';
import { type AuditedCall, audit } from '../../base/audit/audit.ts';
import { RefusedPerson } from './admit-person.ts';
import { followClaims } from './follow-claims.ts';
import type { UsedProvider } from './provider.ts';
import { mappedAccess } from './provider-claims.ts';
import type { Tokens } from './provider-client.ts';
import type { FlowState, ProofFlow } from './provider-flows.ts';
import { subjectKeyOf } from './subject-key.ts';

/** How far the clocks of provider and service may differ. */
const TOLERANCE_MS = 60_000;

const NO_TIME = 'The provider does not state when you signed in (claim auth_time), so this is no proof.';
const TOO_OLD = 'The provider did not ask you to sign in again, so this is no proof.';
const GONE = 'Your session has ended. Close this window and log in again.';

/** When the person signed in, by the clock of the provider; undefined when the provider does not state it. */
async function signedInAt({ idToken }: Pick<Tokens, 'idToken'>): Promise<number | undefined> {
  // Loaded on the first sign-in: most installations have no provider.
  const { decodeJwt } = await import('jose');
  // Of the signed ID token alone: userinfo need not be about this sign-in.
  const { auth_time: seconds } = decodeJwt(idToken);
  return typeof seconds === 'number' && Number.isSafeInteger(seconds) ? seconds * 1000 : undefined;
}

const isFromFuture = (at: number, now: number) => at > now + TOLERANCE_MS;
const provenAt = (at: number, now: number) => new Date(Math.min(at, now)).toISOString();

/**
 * When the person of a sign-in showed who they are, which may be long ago: a provider signs in without asking while its
 * own session lasts. Undefined when nothing proves it.
 */
export async function provenBySignIn(tokens: Pick<Tokens, 'idToken'>, now: number) {
  const at = await signedInAt(tokens);
  return at === undefined || isFromFuture(at, now) ? undefined : provenAt(at, now);
}

/** When the person of a new proof showed who they are: after its flow began. */
export async function provenAgain(
  tokens: Pick<Tokens, 'idToken'>,
  { begunAt }: FlowState,
  now: number,
): Promise<string> {
  const at = await signedInAt(tokens);
  if (at === undefined) throw new RefusedPerson(NO_TIME);
  if (at < begunAt - TOLERANCE_MS || isFromFuture(at, now)) throw new RefusedPerson(TOO_OLD);
  return provenAt(at, now);
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
  { sessionId }: ProofFlow,
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
