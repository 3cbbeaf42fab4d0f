import { describe, expect, it } from 'vitest';
import { ServiceClient } from './service-client.ts';

interface Sent {
  url: string;
  body: { keys?: string[] };
  headers: Record<string, string>;
  credentials: unknown;
}

/** A client whose requests are kept and answered by `answer`. */
function clientOf(answer: (sent: Sent) => Response | Promise<Response>, token: string | null = 't') {
  const requests: Sent[] = [];
  const client = new ServiceClient({
    serviceUrl: 'https://kaptain.example.com',
    kapsuleId: 'a/b',
    token: () => token ?? undefined,
    fetch: async (url, init) => {
      const sent = {
        url: url as string,
        body: JSON.parse((init?.body as string | undefined) ?? '{}') as Sent['body'],
        headers: init?.headers as Record<string, string>,
        credentials: init?.credentials,
      };
      requests.push(sent);
      return answer(sent);
    },
  });
  return { client, requests };
}

const json = (status: number, body: object) => new Response(JSON.stringify(body), { status });
const rows = [{ key: 'A', data: {}, version: 1 }];

describe('the calls of the extension', () => {
  it('carry the token, no cookies, and the kapsule as one part of the address', async () => {
    const { client, requests } = clientOf(() => json(200, { data: [null] }));
    await client.lookup(['A']);
    expect(requests).toMatchObject([
      {
        url: 'https://kaptain.example.com/api/kapsule/a%2Fb/granules/lookup',
        headers: { authorization: 'Bearer t' },
        credentials: 'omit',
      },
    ]);
  });

  it('ask for the remaining keys when an answer was cut, and for 1,000 at most', async () => {
    const { client, requests } = clientOf(({ body: { keys = [] } }) =>
      json(200, { data: keys.slice(0, 700).map((key) => ({ _id: key, key })) }),
    );
    const keys = Array.from({ length: 1_500 }, (_, n) => `k${n}`);
    expect((await client.lookup(keys)).found.map((one) => one?.key)).toEqual(keys);
    expect(requests.map(({ body }) => body.keys?.length)).toEqual([1_000, 800, 100]);
  });

  it.each([
    [{ data: [null], mayWrite: false }, false],
    [{ data: [null], mayWrite: true }, true],
    // A service that does not say it decides on the save.
    [{ data: [null] }, true],
  ])('tell by %j whether the person may write: %s', async (answer, expected) => {
    const { client } = clientOf(() => json(200, answer));
    expect((await client.lookup(['A'])).mayWrite).toBe(expected);
  });

  it('tell which values of a save the service refuses', async () => {
    const refused = [{ key: 'A', field: 'f', rule: 'max', value: 9, message: 'too much' }];
    const details = { count: 1, refused };
    const { client } = clientOf(() => json(400, { code: 'VALUES_REFUSED', message: 'No.', details }));
    expect(await client.save(rows)).toEqual({ kind: 'valuesRefused', refused, message: 'No.' });
  });

  it('ask for the rules of the fields, which an earlier service has not', async () => {
    const fields = [{ name: 'f', type: 'number', max: 3 }];
    expect(await clientOf(() => json(200, { fields })).client.fields()).toEqual(fields);
    expect(await clientOf(() => json(404, {})).client.fields()).toBeUndefined();
  });

  it('fail instead of repeating for ever when an answer has nothing', async () => {
    const { client } = clientOf(() => json(200, { data: [] }));
    await expect(client.lookup(['A'])).rejects.toThrow('does not answer');
  });

  it.each<[string, () => Response, object]>([
    [
      'saved',
      () => json(200, { granules: [{ _id: 'g', key: 'A', version: 2 }] }),
      { kind: 'saved', stored: new Map([['A', { id: 'g', version: 2 }]]) },
    ],
    [
      'a conflict',
      () =>
        json(409, {
          details: {
            conflicts: [{ key: 'A', storedVersion: 3, storedUser: 'bob', storedData: { a: 1 } }],
          },
        }),
      {
        kind: 'conflict',
        theirs: new Map([['A', { id: '', version: 3, user: 'bob', data: { a: 1 }, updatedAt: '' }]]),
      },
    ],
    ['refused', () => json(403, { message: 'no' }), { kind: 'refused', message: 'no' }],
    ['refused by another conflict', () => json(409, { message: 'no' }), { kind: 'refused', message: 'no' }],
    [
      'the service is too busy',
      () =>
        new Response(JSON.stringify({ message: 'later' }), { status: 429, headers: { 'retry-after': '7' } }),
      { kind: 'unavailable', retryAfterMs: 7_000 },
    ],
    ['the service is down', () => json(503, { message: 'later' }), { kind: 'unavailable', retryAfterMs: 0 }],
    ['a proxy answers without JSON', () => new Response('<html>', { status: 502 }), { kind: 'unavailable' }],
    ['signed out', () => json(401, {}), { kind: 'signedOut' }],
    [
      'the service can not be reached',
      () => {
        throw new TypeError('Failed to fetch');
      },
      { kind: 'unavailable' },
    ],
  ])('tell the outcome of a save: %s', async (_, answer, outcome) => {
    expect(await clientOf(answer).client.save(rows)).toEqual(outcome);
  });

  it('send nothing without a token', async () => {
    const { client, requests } = clientOf(() => json(200, {}), null);
    expect(await client.save(rows)).toEqual({ kind: 'signedOut' });
    expect(requests).toEqual([]);
  });
});
