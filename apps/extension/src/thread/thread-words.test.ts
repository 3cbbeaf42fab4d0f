import { expect, it } from 'vitest';
import { matchingNames, mentionQuery } from './mention-query.ts';
import { relativeTime } from './relative-time.ts';

const now = Date.parse('2026-03-10T12:00:00Z');

it.each([
  ['2026-03-10T11:59:40Z', 'en', 'now'],
  ['2026-03-10T11:55:00Z', 'en', '5 minutes ago'],
  ['2026-03-10T09:00:00Z', 'de', 'vor 3 Stunden'],
  ['2026-03-09T12:00:00Z', 'fr', 'hier'],
  ['2025-01-01T00:00:00Z', 'es', 'el año pasado'],
])('says how long ago %s was', (at, language, words) => {
  expect(relativeTime(at, now, language)).toBe(words);
});

it('finds what is typed behind an @ in front of the caret', () => {
  expect(mentionQuery('Hi @an', 6)).toEqual({ start: 3, text: 'an' });
  expect(mentionQuery('@', 1)).toEqual({ start: 0, text: '' });
  expect(mentionQuery('(@CORP\\b) x', 8)).toEqual({ start: 1, text: 'CORP\\b' });
  for (const [text, caret] of [
    ['mail@an', 7],
    ['@[CORP\\bob] ', 12],
    ['@an na', 6],
    ['no', 2],
  ] as const)
    expect(mentionQuery(text, caret)).toBeUndefined();
});

it('offers names that contain it, those that begin with it first, and none that can not be mentioned', () => {
  const names = ['CORP\\bob', 'bea', 'x]b', 'bea', 'ann'];
  expect(matchingNames(names, 'B', 5)).toEqual(['bea', 'CORP\\bob']);
  expect(matchingNames(names, '', 2)).toEqual(['CORP\\bob', 'bea']);
});
