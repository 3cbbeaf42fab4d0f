import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { qvdBytes } from '../../testing/qvd.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { QvdReading } from './qvd-reading.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

let started = 0;
const count = () => {
  started += 1;
};
beforeAll(() => void process.on('worker', count));
afterAll(() => void process.off('worker', count));

/** Reads a file with so many rows; returns how many arrived. */
async function read(rows: number, { column = 'id', signal = new AbortController().signal } = {}) {
  const lines = Array.from({ length: rows }, (_, n) => [`${n}`, `comment ${n}`]);
  const content = qvdBytes([column, 'comment'], lines);
  const path = join(folder.path, `${randomUUID()}.qvd`);
  writeFileSync(path, content);
  const reading = new QvdReading(
    {
      files: [{ name: 'file.qvd', path, bytes: content.length }],
      structure: { keyField: 'id', table: 'T', fields: [{ _id: '1', name: 'comment', type: 'text' }] },
      role: 'ADMIN',
      author: 'vera',
      isDryRun: false,
      goodRowsOnly: false,
      known: {},
      locks: [],
      approved: [],
      isInSource: false,
      granuleBytes: 1_000,
    },
    async () => ({ rows: [], deleted: new Set() }),
    signal,
  );
  let arrived = 0;
  for await (const batch of reading.batches()) arrived += batch.rows;
  return [arrived, reading.files[0]?.rows];
}

it('reads the next files on the thread of the last ones, also after a refusal', async () => {
  expect(await read(3_000)).toEqual([3_000, 3_000]);
  const before = started;
  await expect(read(1, { column: 'other' })).rejects.toMatchObject({ code: 'BAD_INPUT' });
  expect(await read(2)).toEqual([2, 2]);
  expect(started).toBe(before);
});

it('ends the thread of an import that was given up, and reads the next files on another one', async () => {
  await read(1);
  const before = started;
  await expect(read(1, { signal: AbortSignal.abort() })).rejects.toThrow('The upload was given up.');
  expect(await read(5)).toEqual([5, 5]);
  expect(started).toBe(before + 1);
});

it('reads files at the same time on threads of their own', async () => {
  await read(1);
  const before = started;
  expect(await Promise.all([read(2), read(2)])).toEqual([
    [2, 2],
    [2, 2],
  ]);
  expect(started).toBe(before + 1);
});
