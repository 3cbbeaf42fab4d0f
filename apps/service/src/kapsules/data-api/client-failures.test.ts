import {
  ApiError,
  conflictsOf,
  errorCodes,
  errorMeanings,
  type GranuleConflict,
  kaptainClient,
} from '@kaptain/client';
import { expect, it } from 'vitest';
import { addKapsule } from '../../testing/kapsules.ts';
import { listenLocally } from '../../testing/raw-socket.ts';
import { testApp } from '../../testing/test-app.ts';

async function scene() {
  const app = await testApp();
  const { token } = await app.asAdmin();
  const { id } = await addKapsule(app.store, 'Sales');
  const url = `http://127.0.0.1:${await listenLocally(app.http)}`;
  const kaptain = kaptainClient({ url, token: token ?? '' });
  const failing = async (granules: { key: string; data: Record<string, unknown>; version?: number }[]) => {
    const error = await kaptain.dataApi
      .upsert({ params: { id }, body: { granules } })
      .catch((failure: unknown) => failure);
    if (!(error instanceof ApiError)) throw new Error('The save did not fail.');
    return error;
  };
  return { kaptain, id, failing, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

it('a program finds both values of each granule that was changed meanwhile', async () => {
  await using the = await scene();
  const save = (comment: string) =>
    the.kaptain.dataApi.upsert({
      params: { id: the.id },
      body: { granules: [{ key: 'A', data: { comment } }] },
    });
  await save('first');
  await save('second');
  const error = await the.failing([{ key: 'A', data: { comment: 'late' }, version: 1 }]);
  expect(error.code === errorCodes.CONFLICT).toBe(true);
  const [conflict]: readonly GranuleConflict[] = conflictsOf(error);
  expect(conflict).toMatchObject({
    key: 'A',
    givenVersion: 1,
    givenData: { comment: 'late' },
    storedVersion: 2,
    storedData: { comment: 'second' },
  });
  const other = new ApiError(409, 'CONFLICT', 'The name is taken.');
  for (const none of [other, new Error('x'), undefined]) expect(conflictsOf(none)).toEqual([]);
  expect(errorMeanings.CONFLICT).toMatch(/taken/);
});

it('a refusal for its size names the limit that was exceeded', async () => {
  await using the = await scene();
  const many = Array.from({ length: 10_001 }, (_, n) => ({ key: `k${n}`, data: {} }));
  const wide = Array.from({ length: 5 }, (_, n) => ({
    key: `k${n}`,
    data: { comment: 'x'.repeat(250_000) },
  }));
  const long = [{ key: 'k', data: { comment: 'x'.repeat(300_000) } }];
  const messages = [];
  for (const granules of [many, wide, long]) {
    const { code, status, message } = await the.failing(granules);
    expect([code, status]).toEqual([errorCodes.TOO_LARGE, 413]);
    messages.push(message);
  }
  expect(messages).toEqual([
    'granules may have at most 10000 entries.',
    'The body may have at most 1,048,576 bytes.',
    expect.stringMatching(/at most 262,144\.$/),
  ]);
});
