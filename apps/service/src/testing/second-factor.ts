import { codeOfStep, fromBase32, stepAt } from '../identity/second-factor/totp.ts';
import type { Caller, TestAnswer } from './caller.ts';
import { PASSWORD, type TestApp } from './test-app.ts';

export const FACTOR = '/api/account/second-factor';

/** The code that the authenticator app shows, now or some steps later. */
export const codeOf = (app: Pick<TestApp, 'now'>, secret: string, steps = 0): string =>
  codeOfStep(fromBase32(secret), stepAt(app.now()) + steps);

/** Sets an authenticator app up; the code of the present step is used up by it. */
export async function setUpFactor(app: TestApp, person: Caller) {
  const { body } = await person.post(`${FACTOR}/totp`);
  const secret = String(body['secret']);
  const setup = { setup: body['setup'], code: codeOf(app, secret) };
  const confirmed = await person.post(`${FACTOR}/totp/confirm`, setup);
  return { secret, recoveryCodes: confirmed.body['recoveryCodes'] as string[] };
}

/** The first step of a login with a second factor. */
export async function challengeFor({ asNobody }: TestApp, username: string): Promise<string> {
  const { body } = await asNobody.post('/auth/login', { username, password: PASSWORD });
  return (body['details'] as { challenge: string }).challenge;
}

export const finish = (
  { asNobody }: Pick<TestApp, 'asNobody'>,
  challenge: string,
  code: string,
): Promise<TestAnswer> => asNobody.post('/auth/second-factor', { challenge, code });
