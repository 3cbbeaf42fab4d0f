import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { codeFetcher, OutdatedCodeError } from './load-code.ts';

const files = { Page: ['/assets/common.js', '/assets/Page.js'] };
const code = () => new Response('', { headers: { 'content-type': 'text/javascript' } });

/** Stubs a service that answers each path as told, and collects the paths. */
function serving(answer: (path: string) => Response): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    return answer(path);
  });
  return asked;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('all files of a part are fetched, however long the service is away', async () => {
  let isAway = true;
  const asked = serving((path) => {
    if (isAway && path !== '/assets/common.js') throw new TypeError('no connection');
    return code();
  });
  let isDone = false;
  const load = async () => {
    await codeFetcher(files)('Page', 'high');
    isDone = true;
  };
  const part = load();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(isDone).toBe(false);
  isAway = false;
  await vi.advanceTimersByTimeAsync(20_000);
  await part;
  expect(asked.filter((path) => path === '/assets/common.js')).toHaveLength(1);
  // Meanwhile the service is probed, and the file is fetched again when a probe is answered.
  expect(asked.filter((path) => path === '/assets/Page.js')).toHaveLength(2);
});

test('a file is fetched once: by a prefetch or by the first load', async () => {
  const asked = serving(code);
  const fetchPart = codeFetcher(files);
  await fetchPart('Page', 'low');
  await fetchPart('Page', 'high');
  expect(asked).toEqual(files.Page);
});

test.each([
  ['that the service no longer has', () => new Response('{}', { status: 404 })],
  [
    'that is answered with an HTML page',
    () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
  ],
])('a file %s belongs to another version, and is asked for again by the next load', async (_, answer) => {
  serving(answer);
  const fetchPart = codeFetcher(files);
  await expect(fetchPart('Page', 'high')).rejects.toBeInstanceOf(OutdatedCodeError);
  serving(code);
  await fetchPart('Page', 'high');
});

test('a part that the build does not know is a mistake', async () => {
  await expect(codeFetcher(files)('Nothing', 'high')).rejects.toThrow('Nothing');
});
