import { join } from 'node:path';
import { openEmbeddedStore } from '@kaptain/store';
import { describe, expect, it } from 'vitest';
import { testApp } from '../../testing/test-app.ts';
import { AnswerCache } from './answer-cache.ts';

describe('cached answers', () => {
  it('are built once while nothing changes, for each key', async () => {
    await using app = await testApp();
    let built = 0;
    const kept = new AnswerCache<string>(app.store, Date.now, 64);
    const ask = async (key: string) =>
      JSON.parse(
        (await kept.get(key, {}, async () => ({ value: `${key} ${++built}` }))).pieces[0].toString(),
      );
    expect([await ask('a'), await ask('b'), await ask('a'), await ask('b')]).toEqual([
      'a 1',
      'b 2',
      'a 1',
      'b 2',
    ]);
    await app.asUser('vera');
    expect(await ask('a')).toBe('a 3');
  });

  it('are used by the change mark that was read with the caller', async () => {
    await using app = await testApp();
    let built = 0;
    const kept = new AnswerCache<number>(app.store, Date.now, 64);
    const ask = async (mark: string) =>
      (await kept.get('', { mark }, async () => ({ value: ++built }))).pieces[0].toString();
    expect([await ask('m1'), await ask('m1'), await ask('m2'), await ask('m2'), await ask('m1')]).toEqual([
      '1',
      '1',
      '2',
      '2',
      '3',
    ]);
  });

  it('expire at their time', async () => {
    await using app = await testApp();
    let now = 1000;
    let built = 0;
    const kept = new AnswerCache<number>(app.store, () => now, 64);
    const ask = async () =>
      (await kept.get('', {}, async () => ({ value: ++built, until: 2000 }))).pieces[0].toString();
    expect([await ask(), await ask()]).toEqual(['1', '1']);
    now = 2000;
    expect(await ask()).toBe('2');
  });

  it('expire when the clock is set back to before they were built', async () => {
    await using app = await testApp();
    let now = 1_000_000;
    let built = 0;
    const kept = new AnswerCache<number>(app.store, () => now, 64);
    const ask = async () =>
      (await kept.get('', {}, async () => ({ value: ++built, until: now + 10 }))).pieces[0].toString();
    expect([await ask(), await ask()]).toEqual(['1', '1']);
    now = 1000;
    expect([await ask(), await ask()]).toEqual(['2', '2']);
  });

  it('are not cached when the store changes while they are built', async () => {
    await using app = await testApp();
    let built = 0;
    const kept = new AnswerCache<number>(app.store, Date.now, 64);
    const ask = async () =>
      (
        await kept.get('', {}, async () => {
          if (built === 0) await app.asUser('vera');
          return { value: ++built };
        })
      ).pieces[0].toString();
    expect([await ask(), await ask(), await ask()]).toEqual(['1', '2', '2']);
  });

  it('are limited in number', async () => {
    await using app = await testApp();
    const kept = new AnswerCache<number>(app.store, Date.now, 64);
    const ask = async (key: number, value: number) =>
      (await kept.get(String(key), {}, async () => ({ value }))).pieces[0].toString();
    for (let key = 0; key < 100; key++) await ask(key, key);
    expect([await ask(99, -1), await ask(0, -1)]).toEqual(['99', '-1']);
  });

  it('expire when another process changes the store', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const namesNow = async () =>
      ((await admin.get('/api/user/list')).body['data'] as { qlikId: string }[]).map(({ qlikId }) => qlikId);
    expect(await namesNow()).toEqual(['']);
    const other = await openEmbeddedStore({ file: join(app.folder, 'kaptain.db') });
    const [user] = await other.users.all();
    for (const qlikId of ['one', 'two', 'three']) {
      await other.users.patch(user?.id ?? '', { qlikId });
      expect(await namesNow()).toEqual([qlikId]);
    }
    await other.close();
  });
});
