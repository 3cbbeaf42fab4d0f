import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { craft, text } from '../testing/craft.ts';
import { qvdBytes, withFile } from '../testing/memory-file.ts';

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url));
const SAMPLE = fileURLToPath(new URL('../../samples/qvd-utils__test_qvd_null.qvd', import.meta.url));

function qvd(...given: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...given], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('info prints name, rows and columns with their NULL counts', () => {
  const { status, stdout } = qvd('info', SAMPLE);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    tableName: 'TEST',
    rows: 12,
    columns: [
      { name: 'Month', type: 'integer', nulls: 0 },
      { name: 'Quarter', type: 'text', nulls: 0 },
      { name: 'some_null', type: 'number', nulls: 3 },
      { name: 'all Null', type: 'empty', nulls: 12 },
    ],
  });
});

test('cat prints one JSON object per row, of the requested columns and rows', async () => {
  const columns = [{ name: 'id' }, { name: '__proto__' }, { name: 'when', type: 'date' }] as const;
  const blob = await qvdBytes(columns, [
    [1, 'x', '2024-02-29'],
    [null, { number: 7, text: '007' }, 45_000],
    [{ number: 3, text: '3' }, '', null],
  ]);
  await withFile(blob, async (path) => {
    expect(qvd('cat', path, '--format', 'ndjson').stdout).toBe(
      '{"id":1,"__proto__":"x","when":"2024-02-29"}\n' +
        '{"id":null,"__proto__":"007","when":"2023-03-15"}\n' +
        '{"id":3,"__proto__":"","when":null}\n',
    );
    expect(qvd('cat', path, '--format', 'csv', '--columns', 'when,id', '--limit', '2').stdout).toBe(
      'when,id\r\n2024-02-29,1\r\n2023-03-15,\r\n',
    );
    expect(qvd('cat', path, '--columns', 'nope')).toMatchObject({ status: 2, stdout: '' });
  });
});

test('check reports a sound file', () => {
  const { status, stdout } = qvd('check', SAMPLE);
  expect({ status, answer: JSON.parse(stdout) }).toMatchObject({ status: 0, answer: { ok: true, rows: 12 } });
});

test('a damaged row is refused with one line, before any output', async () => {
  const fields = [{ FieldName: 'C', BitWidth: 8, symbols: text('a'), NoOfSymbols: 1 }];
  await withFile(craft({ fields, rows: Uint8Array.of(0, 0, 9) }), async (path) => {
    const { status, stdout, stderr } = qvd('cat', path, '--format', 'csv');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr.trim().split('\n').length).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({
      code: 'INDEX_RANGE',
      message: expect.stringContaining('Row 3'),
      field: 'C',
      offset: expect.any(Number),
    });
  });
});

test.each([
  ['no such file', ['info', 'does-not-exist.qvd'], 'ENOENT'],
  ['no command', [], 'USAGE'],
  ['no file', ['info'], 'USAGE'],
  ['an unknown format', ['cat', SAMPLE, '--format', 'xml'], 'USAGE'],
  ['a limit that is not a number', ['cat', SAMPLE, '--limit', '1e3'], 'USAGE'],
  ['an unknown option', ['cat', SAMPLE, '--bogus'], 'USAGE'],
])('%s ends with exit code 2 and one JSON line', (_, given, code) => {
  const { status, stderr } = qvd(...given);
  expect(status).toBe(2);
  expect(JSON.parse(stderr)).toMatchObject({ code, field: null, offset: null });
});
