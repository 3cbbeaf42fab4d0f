import { expect, test } from 'vitest';
import { linesOf } from '../../shared/log-view/log-lines.ts';
import { rowOf } from './log-entries.ts';

const rowsOf = (text: string) => linesOf(text).map(rowOf);

test('a line in JSON has its time, level, message with the request, and request id', () => {
  const line = {
    level: 'info',
    time: '2026-03-01T08:00:00.000Z',
    requestId: 'r-1',
    method: 'GET',
    path: '/api/kapsule',
    status: 200,
    msg: 'request',
  };
  expect(rowsOf(JSON.stringify(line))).toMatchObject([
    { time: line.time, level: 'info', message: 'request GET /api/kapsule 200', requestId: 'r-1' },
  ]);
  expect(JSON.parse(rowsOf(JSON.stringify(line))[0]?.details ?? '')).toEqual(line);
});

test('what can’t be seen stays written out in every part', () => {
  const [row] = rowsOf('{"level":"warn","msg":"slow \\u202egnp.exe","requestId":"a\\u001b[31m"}');
  expect([row?.message, row?.requestId]).toEqual(['slow \\u202egnp.exe', 'a\\u001b[31m']);
  expect(row?.details).not.toContain('\u202e');
});

test('another line is its own message, and belongs to the level before', () => {
  expect(rowsOf('{"level":"error","msg":"bad"}\n  at x.ts\n{broken')).toMatchObject([
    { level: 'error', message: 'bad' },
    { level: 'error', time: undefined, message: '  at x.ts', details: '  at x.ts' },
    { message: '{broken' },
  ]);
});
