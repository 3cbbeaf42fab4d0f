import { limits } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import { addGranules, addKapsule, addLargeGranules, grant } from '../../testing/kapsules.ts';
import { testApp } from '../../testing/test-app.ts';

const pathOf = (id: string) => `/api/kapsule/${id}/granules/lookup`;

describe('the look-up of granules by keys', () => {
  it('answers those who may read the kapsule, one entry per key', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const kapsule = await addKapsule(app.store, 'sales');
    await addGranules(app.store, kapsule, 3);
    const body = { keys: ['3', 'none', '1', '3'] };
    expect((await app.asNobody.post(pathOf(kapsule.id), body)).status).toBe(401);
    const user = await app.asUser('vera');
    expect((await user.post(pathOf(kapsule.id), body)).status).toBe(404);
    await grant(app.store, 'vera', ['READ'], [kapsule]);
    for (const caller of [user, admin]) {
      const { status, body: answer } = await caller.post(pathOf(kapsule.id), body);
      expect(status).toBe(200);
      expect(answer['data']).toMatchObject([
        { key: '3', version: 1, data: { comment: 'comment 3' } },
        null,
        { key: '1', reloaded: false },
        { key: '3' },
      ]);
    }
    expect((await admin.post(pathOf('f'.repeat(24)), body)).status).toBe(404);
  });

  it.each([
    ['no keys', { keys: [] }],
    ['more keys than one call may have', { keys: Array(limits.keysPerLookup + 1).fill('1') }],
    ['an empty key', { keys: [''] }],
    ['a key that can not be stored', { keys: ['a\0'] }],
    ['a key that is no text', { keys: [1] }],
    ['a key that is too long', { keys: ['x'.repeat(1001)] }],
  ])('refuses %s', async (_, body) => {
    await using app = await testApp();
    const kapsule = await addKapsule(app.store, 'sales');
    const { status, body: answer } = await (await app.asAdmin()).post(pathOf(kapsule.id), body);
    const isTooMany = body.keys.length > limits.keysPerLookup;
    expect([status, answer.code]).toEqual(isTooMany ? [413, 'TOO_LARGE'] : [400, 'BAD_INPUT']);
  });

  it('ends an answer at the bytes of a page, and is repeated with the remaining keys', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const kapsule = await addKapsule(app.store, 'sales');
    await addLargeGranules(app.store, kapsule, 15);
    const keys = Array.from({ length: 20 }, (_, n) => String(n + 1));
    const seen: unknown[] = [];
    for (let calls = 0; seen.length < keys.length; calls++) {
      expect(calls).toBeLessThan(3);
      const { text, body } = await admin.post(pathOf(kapsule.id), { keys: keys.slice(seen.length) });
      expect(text.length).toBeLessThanOrEqual(limits.pageBytes + 10_000);
      seen.push(...(body['data'] as ({ key: string } | null)[]).map((granule) => granule?.key ?? null));
    }
    expect(seen).toEqual(keys.map((key) => (Number(key) <= 15 ? key : null)));
  });
});
