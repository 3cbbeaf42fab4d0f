import { ApiError, UnexpectedAnswerError } from '@kaptain/contract/client';
import { kapsules } from '@kaptain/contract/kapsules';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeService, refuse } from '../testing/fake-service.ts';
import { isUnknownCall } from './is-unknown-call.ts';
import { service } from './service.ts';

const expired = () => refuse('NOT_LOGGED_IN', 'Log in again.');
const serve = (list: () => Response | Promise<Response>) => {
  const fake = fakeService({ kapsules: { list } });
  vi.stubGlobal('fetch', fake.fetch);
  return fake;
};
const calls = service({ kapsules }).kapsules;
const token = () => sessionStorage.getItem('kaptain.token');

describe('a call of the service', () => {
  beforeEach(() => {
    sessionStorage.setItem('kaptain.token', 'token-1');
    history.replaceState(null, '', '/data/kapsules?q=sales');
  });

  test('sends the token of the session', async () => {
    const fake = serve(() => Response.json([]));
    await calls.list({});
    expect(fake.callsOf('kapsules.list')[0]?.authorization).toBe('Bearer token-1');
  });

  test('that is answered with 401 ends the session', async () => {
    serve(expired);
    await expect(calls.list({})).rejects.toThrow('Log in again.');
    expect([token(), location.pathname + location.search]).toEqual([null, '/login']);
  });

  test('of an earlier session does not end the present one', async () => {
    const late = Promise.withResolvers<Response>();
    serve(() => late.promise);
    const call = calls.list({});
    sessionStorage.setItem('kaptain.token', 'token-2');
    late.resolve(expired());
    await expect(call).rejects.toThrow('Log in again.');
    expect([token(), location.pathname]).toEqual(['token-2', '/data/kapsules']);
  });
});

describe('a call that another service does not know', () => {
  const failureOf = (answer: () => Response) => {
    serve(answer);
    return calls.list({}).catch((error: unknown) => error);
  };
  test.each([404, 405, 501])('is told by %d', async (status) => {
    const error = await failureOf(() => new Response('', { status }));
    expect(error).toBeInstanceOf(ApiError);
    expect(isUnknownCall(error)).toBe(true);
  });

  test('is told by a web page', async () => {
    const page = () =>
      new Response('<!doctype html><p>Welcome</p>', { headers: { 'content-type': 'text/html' } });
    const error = await failureOf(page);
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(isUnknownCall(error)).toBe(true);
  });

  test.each([403, 409, 500, 503])('is not told by %d', async (status) => {
    expect(isUnknownCall(await failureOf(() => Response.json({ message: 'x' }, { status })))).toBe(false);
  });
});
