import { execFileSync } from 'node:child_process';
import { appendFile, open, readdir, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openQvd, openSource, writeQvdFile } from '../node.ts';
import { craft } from '../testing/craft.ts';
import { generatedSource } from '../testing/hostile/case.ts';
import { toArray, withFile } from '../testing/memory-file.ts';

const drain = async (rows: AsyncIterable<unknown>) => {
  for await (const _ of rows);
};

test('a path, a file handle and a Blob give the same table', async () => {
  await withFile(craft(), async (path) => {
    const handle = await open(path);
    const tables = [await openQvd(path), await openQvd(handle), await openQvd(new Blob([craft()]))];
    for (const qvd of tables) {
      expect(await toArray(qvd.rows())).toEqual([
        [1, 'a'],
        [2, { number: 7, text: '007' }],
        [3, null],
        [4, 'a'],
      ]);
      await qvd.close();
    }
    await handle.stat(); // the handle belongs to the caller and is still open
    await handle.close();
  });
});

test.each([
  ['grows', (path: string) => appendFile(path, 'x')],
  ['shrinks', (path: string) => truncate(path, 700)],
  ['is touched', (path: string) => utimes(path, 1, 1)],
  ['is overwritten in place', (path: string) => writeFile(path, craft({ root: { TableName: 'U' } }))],
])('a file that %s while it is read is refused', async (_, change) => {
  await withFile(craft(), async (path) => {
    await using qvd = await openQvd(path);
    await change(path);
    await expect(drain(qvd.rows())).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  });
});

test('a source that ends before its size is refused', async () => {
  const file = craft();
  const source = { ...generatedSource(file.length, file, 0), read: async () => 0 };
  await expect(openSource(source)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
});

test('a folder is refused', async () => {
  await expect(openQvd(tmpdir())).rejects.toMatchObject({
    code: expect.stringMatching(/NOT_QVD|EISDIR|EPERM/),
  });
});

test.runIf(process.platform !== 'win32')('a FIFO is refused without waiting for its writer', async () => {
  await withFile(new Uint8Array(), async (path) => {
    const fifo = join(dirname(path), 'pipe');
    execFileSync('mkfifo', [fifo]);
    await expect(openQvd(fifo)).rejects.toMatchObject({ code: 'NOT_QVD' });
  });
});

test('the end of a file beyond 4 GiB is read', async () => {
  // A sound file of 5e9 one-byte rows, whose bytes are generated on demand.
  const rows = 5_000_000_000;
  const head = craft({ root: { NoOfRecords: rows, Length: rows } });
  const source = generatedSource(head.length - 4 + rows, head.slice(0, -4), 0b1000);
  const qvd = await openSource(source, { limits: { rows } });
  expect(qvd.rowCount).toBe(rows);
  const last = new Uint8Array(2);
  expect(await source.read(source.size - 1, last)).toBe(1);
  for await (const block of qvd.blocks({ columns: ['Id'] })) {
    expect(block.vectors[0]?.codes[0]).toBe(0);
    break;
  }
});

test('a failed write leaves no file', async () => {
  await withFile(new Uint8Array(), async (path) => {
    const target = join(dirname(path), 'new.qvd');
    const rows = [['fine'], ['not\0fine']];
    await expect(writeQvdFile(target, { tableName: 'T', columns: [{ name: 'a' }] }, rows)).rejects.toThrow(
      'U+0000',
    );
    expect(await readdir(dirname(path))).toEqual(['table.qvd']);
  });
});

test('a file that exists is never overwritten', async () => {
  await withFile(craft(), async (path) => {
    await expect(writeQvdFile(path, { tableName: 'T', columns: [{ name: 'a' }] }, [])).rejects.toThrow(
      'EEXIST',
    );
    await using qvd = await openQvd(path);
    expect(qvd.rowCount).toBe(4);
  });
});
