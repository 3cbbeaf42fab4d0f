import { expect, test } from 'vitest';
import { sampleLog as entry } from '../testing/sample-log.ts';
import { pageInMemory } from './plain-logs.ts';

const list = Array.from({ length: 30 }, (_, index) =>
  entry(`Reload ${index}`, {
    lastRunAt: new Date(Date.UTC(2026, 2, 1 + index)).toISOString(),
    status: index % 3 === 0 ? 'failed' : 'succeeded',
  }),
);
const names = (...query: [Parameters<typeof pageInMemory>[1], number?]) =>
  pageInMemory(list, query[0], query[1] ?? 1, 3).data.map(({ name }) => name);

test('the whole list of runs, of a service without pages, is paged, newest first', () => {
  expect(names({ q: '' })).toEqual(['Reload 29', 'Reload 28', 'Reload 27']);
  expect(names({ q: '' }, 10)).toEqual(['Reload 2', 'Reload 1', 'Reload 0']);
  expect(pageInMemory(list, { q: '' }, 1, 3)).toMatchObject({ total: 30, totalIsExact: true, isPlain: true });
});

test('the whole list of runs is searched by name in any case, and filtered by status and time', () => {
  expect(names({ q: ' ELOAD 29 ' })).toEqual(['Reload 29']);
  expect(names({ q: '', status: 'failed' })).toEqual(['Reload 27', 'Reload 24', 'Reload 21']);
  expect(names({ q: '', from: '2026-03-02T00:00:00Z', to: '2026-03-04T00:00:00Z' })).toEqual([
    'Reload 2',
    'Reload 1',
  ]);
});
