import { join } from 'node:path';
import { openEmbeddedStore, type Store } from '@kaptain/store';
import { expect, it, onTestFinished, vi } from 'vitest';
import { checkDatabase } from '../../operations/cli/check-database.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { pepperIn } from './pepper.ts';
import { comparePepper, OTHER_PEPPER, watchPepper } from './pepper-mark.ts';

const OURS = 'the secret of the first instances';
const OTHER = 'the secret of one that differs.....';

/** The lines that an instance with this secret logs. */
async function starts(store: Store, secret: string): Promise<string[]> {
  const heard: string[] = [];
  const log = { warn: (_: object, text: string) => heard.push(text) };
  await comparePepper(store, pepperIn('nowhere', secret)(), log as never);
  return heard;
}

it('warns an instance with another secret than earlier ones, until the database has no API key made with theirs', async () => {
  using folder = temporaryFolder();
  const store = await openEmbeddedStore({ file: join(folder.path, 'kaptain.db') });
  const check = async (secret?: string) => {
    const env = { KAPTAIN_DATA_DIR: folder.path, ...(secret && { KAPTAIN_PEPPER: secret }) };
    return (await checkDatabase(env)).message.replace(/^The embedded database .* can be used\. ?/, '');
  };
  expect(await starts(store, OTHER)).toEqual([]);
  await store.instance.insert({ singleton: 'instance', initializedAt: new Date().toISOString() });
  expect(await starts(store, OURS)).toEqual([]);
  const key = {
    name: 'k',
    keyHash: 'h',
    masked: 'm',
    userId: 'u',
    userName: 'u',
    createdAt: '',
    lastUsedAt: null,
  };
  const { id } = await store.apiKeys.insert(key);
  expect(await starts(store, OURS)).toEqual([]);
  for (let n = 0; n < 2; n += 1) expect(await starts(store, OTHER)).toEqual([OTHER_PEPPER]);
  expect(await check(OURS)).toBe('');
  expect(await check(OTHER)).toBe(OTHER_PEPPER);
  expect(await check()).toBe(OTHER_PEPPER);
  await store.apiKeys.remove(id);
  expect(await starts(store, OTHER)).toEqual([OTHER_PEPPER]);
  expect(await starts(store, OTHER)).toEqual([]);
  await store.close();
});

it('retries while the secret can not be read, and never after it is stopped, even during an attempt', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let looks = 0;
  const begin = () =>
    watchPepper(
      {} as Store,
      () => {
        looks += 1;
        throw new Error('The folder keys can not be read.');
      },
      { warn: () => undefined } as never,
    );
  const end = begin();
  await vi.advanceTimersByTimeAsync(70_000);
  expect(looks).toBe(3);
  end();
  begin()();
  await vi.advanceTimersByTimeAsync(70_000);
  expect(looks).toBe(4);
});
