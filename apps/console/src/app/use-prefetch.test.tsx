import { renderHook, screen, waitFor } from '@testing-library/react';
import { lazy } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reactIsIdle } from '../testing/production-act.ts';
import { adminUser, renderScreen } from '../testing/render-screen.tsx';
import { type Screen, screens } from './screens.ts';
import { usePrefetch } from './use-prefetch.ts';

/** The work that the page has put off until it is idle. */
const waiting = new Map<number, () => void>();
const fetched = new Set<string>();
const idle = () => {
  const [first] = waiting;
  if (!first) return;
  waiting.delete(first[0]);
  first[1]();
};

const sample = (path: string, isBroken = false): Screen => ({
  path,
  title: () => path,
  access: 'admin',
  Page: Object.assign(
    lazy(async () => ({ default: () => null })),
    {
      prefetch: async () => {
        fetched.add(path);
        if (isBroken) throw new Error('no connection');
      },
    },
  ),
});
const others = [sample('/a'), sample('/b', true), sample('/c')];

beforeEach(() => {
  waiting.clear();
  fetched.clear();
  let number = 0;
  const ask = (work: () => void) => waiting.set(++number, work) && number;
  vi.stubGlobal('requestIdleCallback', ask);
  vi.stubGlobal('cancelIdleCallback', (id: number) => waiting.delete(id));
});
afterEach(() => {
  Reflect.deleteProperty(window, 'requestIdleCallback');
  Reflect.deleteProperty(window, 'cancelIdleCallback');
  Reflect.deleteProperty(navigator, 'connection');
});

test('the code of the other screens is fetched while the page is idle, also after one that failed', async () => {
  const about = screens.filter(({ path }) => path === '/about');
  const { unmount } = renderScreen('/about', { as: adminUser, screens: [...about, ...others] });
  await screen.findByRole('heading', { name: 'About Kaptain' });
  expect([...fetched]).toEqual([]);
  await waitFor(() => {
    idle();
    expect([...fetched]).toEqual(['/a', '/b', '/c']);
  });
  unmount();
  await reactIsIdle();
  expect(waiting.size).toBe(0);
});

test('nothing is fetched ahead for a user who saves data', () => {
  Object.defineProperty(navigator, 'connection', { configurable: true, value: { saveData: true } });
  renderHook(() => usePrefetch(others));
  expect(waiting.size).toBe(0);
});
