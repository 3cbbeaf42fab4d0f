import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openQvd } from '../node.ts';
import { craft, text } from '../testing/craft.ts';
import { qvdBytes, withFile } from '../testing/memory-file.ts';
import { parseCall } from './arguments.ts';
import { cat, check } from './commands.ts';

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url));
const SAMPLE = fileURLToPath(new URL('../../samples/qvd-utils__test_qvd_null.qvd', import.meta.url));

/** The program in a process of its own. */
function program(...given: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...given], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** The output of the command. */
async function printed(...given: string[]): Promise<string> {
  const { command, file, cat: options } = parseCall(given);
  await using qvd = await openQvd(file);
  let text = '';
  const print = async (more: string) => void (text += more);
  await (command === 'cat' ? cat(qvd, print, options) : command === 'check' ? check(qvd, print) : undefined);
  return text;
}

test('info prints name, rows and columns with their NULL counts', () => {
  const { status, stdout } = program('info', SAMPLE);
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
    expect(await printed('cat', path, '--format', 'ndjson')).toBe(
      '{"id":1,"__proto__":"x","when":"2024-02-29"}\n' +
        '{"id":null,"__proto__":"007","when":"2023-03-15"}\n' +
        '{"id":3,"__proto__":"","when":null}\n',
    );
    expect(await printed('cat', path, '--format', 'csv', '--columns', 'when,id', '--limit', '2')).toBe(
      'when,id\r\n2024-02-29,1\r\n2023-03-15,\r\n',
    );
    await expect(printed('cat', path, '--columns', 'nope')).rejects.toThrow('There is no such column');
  });
});

test('check reports a sound file', async () => {
  expect(JSON.parse(await printed('check', SAMPLE))).toMatchObject({ ok: true, rows: 12 });
});

test('a damaged row is refused with one line, before any output', async () => {
  const fields = [{ FieldName: 'C', BitWidth: 8, symbols: text('a'), NoOfSymbols: 1 }];
  await withFile(craft({ fields, rows: Uint8Array.of(0, 0, 9) }), async (path) => {
    const { status, stdout, stderr } = program('cat', path, '--format', 'csv');
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

test('no command ends with exit code 2 and one JSON line', () => {
  const { status, stderr } = program();
  expect(status).toBe(2);
  expect(JSON.parse(stderr)).toMatchObject({ code: 'USAGE', field: null, offset: null });
});

test.each([
  ['no such file', ['info', 'does-not-exist.qvd'], 'ENOENT'],
  ['no file', ['info'], 'USAGE'],
  ['an unknown format', ['cat', SAMPLE, '--format', 'xml'], 'USAGE'],
  ['a limit that is not a number', ['cat', SAMPLE, '--limit', '1e3'], 'USAGE'],
  ['an unknown option', ['cat', SAMPLE, '--bogus'], 'USAGE'],
])('%s is refused with its code', async (_, given, code) => {
  await expect(printed(...given)).rejects.toMatchObject({ code });
});
