import { expect, test } from 'vitest';
import { linesOf, matchingLines } from './log-lines.ts';

test('the lines of a log belong to the level of the line they follow, and are found by level and text', () => {
  const found = linesOf('start\n2026 ERROR bad\n  at stack (x.ts)\n2026 INFO fine\r\n{"level":"trace"}\n');
  expect(found.map(({ level }) => level)).toEqual([undefined, 'error', 'error', 'info', 'debug']);
  expect(matchingLines(found, '', 'error').map(({ text: line }) => line)).toEqual([
    '2026 ERROR bad',
    '  at stack (x.ts)',
  ]);
  expect(matchingLines(found, 'STACK', '')).toHaveLength(1);
  expect(matchingLines(found, '', '')).toHaveLength(5);
});
