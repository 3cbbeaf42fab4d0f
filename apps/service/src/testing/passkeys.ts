import type { PasskeyCreation, PasskeyProof, PasskeyRequest } from '@kaptain/contract';
import { Authenticator, type Forged } from './authenticator.ts';
import type { Caller, TestAnswer } from './caller.ts';
import { FACTOR } from './second-factor.ts';

export const PASSKEYS = `${FACTOR}/passkeys`;
export const PROOF = '/api/account/proof';
const LOGIN = '/auth/second-factor';

type Posting = Pick<Caller, 'post'>;

/** Makes a passkey and stores it under a name. */
export async function addPasskey(
  person: Posting,
  name: string,
  authenticator: Authenticator = new Authenticator(),
  forged?: Forged,
): Promise<{ authenticator: Authenticator; answer: TestAnswer }> {
  const { body } = await person.post(PASSKEYS);
  const passkey = authenticator.create(body as unknown as PasskeyCreation, forged);
  return { authenticator, answer: await person.post(`${PASSKEYS}/confirm`, { name, passkey }) };
}

/** The challenge that the browser signs for a waiting login, or for a proof. */
export const loginRequest = async (caller: Posting, challenge: string): Promise<PasskeyRequest> =>
  (await caller.post(`${LOGIN}/passkey`, { challenge })).body as unknown as PasskeyRequest;
export const proofRequest = async (person: Posting): Promise<PasskeyRequest> =>
  (await person.post(`${PROOF}/passkey`)).body as unknown as PasskeyRequest;

export const finishWith = (caller: Posting, challenge: string, passkey: PasskeyProof): Promise<TestAnswer> =>
  caller.post(LOGIN, { challenge, passkey });
