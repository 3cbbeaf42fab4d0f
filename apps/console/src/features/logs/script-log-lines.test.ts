import { expect, test } from 'vitest';
import { errorsIn, scriptLogLines } from './script-log-lines.ts';

const log = [
  '\ufeff2026-03-01 08:00:00      Execution started.',
  '2026-03-01 08:00:00      0003  SET ErrorMode = 1; // no error yet',
  '2026-03-01 08:00:01      0004  LOAD * FROM [lib://x.qvd] (qvd);',
  '2026-03-01 08:00:02      Error: Cannot open file: x.qvd',
  '2026-03-01 08:00:02      General Script Error',
  '2026-03-01 08:00:03      12,000 lines fetched',
  '2026-03-01 08:00:04      Field "Amount" not found',
  '2026-03-01 08:00:05      Execution Failed \u202e',
  '',
].join('\r\n');

test('errors are marked, but not statements of the script that mention one', () => {
  const lines = scriptLogLines(log);
  expect(lines.map(({ level }) => level ?? '-').join(' ')).toBe('- - - error error - error error');
  expect(errorsIn(lines).map(({ number }) => number)).toEqual([3, 6]);
  expect(lines[0]?.text.startsWith('2026')).toBe(true);
  expect(lines.at(-1)?.text).toContain('\\u202e');
});

test('a log without errors has none, and an empty one no lines', () => {
  expect(errorsIn(scriptLogLines('2026-03-01 08:00:00 Execution finished.\r\n'))).toEqual([]);
  expect(scriptLogLines('')).toEqual([]);
});
