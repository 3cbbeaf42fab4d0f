import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterEach, expect, it, vi } from 'vitest';
import { AppError } from '../../base/errors/app-error.ts';
import { table } from './table.ts';
import type { TableOptions } from './table-options.ts';
import { type TableLimits, TableThreads } from './table-threads.ts';
import { aKapsule, joined, linesOf, partsOf } from './testing/lines.ts';

const kapsule = aKapsule([{ name: 'Comment', type: 'text' }]);
const csv: TableOptions = { format: 'csv', kapsule, reader: 'program' };
const qvd: TableOptions = { format: 'qvd', kapsule };
const present = new AbortController().signal;

const rowsWith = (count: number, comment: string) =>
  linesOf(
    Array.from({ length: count }, (_, n) => ({
      key: `key ${n}`,
      user: 'u',
      data: [['Comment', `${comment} ${n}`]] as [string, string][],
    })),
  );

async function* chunks(lines: string, perChunk = 100): AsyncGenerator<Uint8Array> {
  yield* partsOf(lines, perChunk);
}

let threads: TableThreads;
const withLimits = (limits: Partial<TableLimits>) => (threads = new TableThreads(limits));
afterEach(() => threads.end());

it('files that are made at the same time do not mix, on no more threads than allowed', async () => {
  withLimits({ threads: 2 });
  const made = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      joined(table(chunks(rowsWith(500, `file ${n}`)), csv, present, threads)),
    ),
  );
  for (const [n, file] of made.entries()) {
    const rows = file.toString().split('\r\n').slice(1, -1);
    expect(rows.map((row) => row.split(',').slice(0, 2).join())).toEqual(
      Array.from({ length: 500 }, (_, row) => `key ${row},file ${n} ${row}`),
    );
  }
  expect(threads.use).toEqual({ threads: 2, files: 0, memory: 0 });
});

it('memory that chunks share stays with its owner', async () => {
  withLimits({});
  const whole = new Uint8Array(Buffer.from(rowsWith(10, 'c')));
  const half = whole.indexOf(0x0a, whole.length / 2) + 1;
  async function* shared() {
    yield whole.subarray(0, half);
    yield whole.subarray(half);
  }
  const file = await joined(table(shared(), csv, present, threads));
  expect(file.toString().split('\r\n')).toHaveLength(12);
  expect(whole).toHaveLength(rowsWith(10, 'c').length);
});

it('rows are read only as fast as the file is', async () => {
  withLimits({});
  let read = 0;
  async function* counted() {
    for (const part of partsOf(rowsWith(10_000, 'c'), 10)) {
      read += 1;
      yield part;
    }
  }
  const file = table(counted(), csv, present, threads);
  for (let piece = 0; piece < 3; piece++) await file.next();
  await setTimeout(50);
  expect(read).toBeLessThan(12);
  await file.return(undefined);
  expect(read).toBeLessThan(12);
  expect(threads.use.files).toBe(0);
});

it('a client that leaves ends a file of which nothing is sent yet', async () => {
  withLimits({});
  const client = new AbortController();
  let isClosed = false;
  async function* endless() {
    try {
      for (;;) yield Buffer.from(rowsWith(100, 'c'));
    } finally {
      isClosed = true;
    }
  }
  const made = joined(table(endless(), qvd, client.signal, threads));
  await vi.waitFor(() => expect(threads.use.memory).toBeGreaterThan(0));
  client.abort();
  await expect(made).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(isClosed).toBe(true);
  expect(threads.use).toMatchObject({ files: 0, memory: 0 });
});

it('rows that fail end the file, and the thread makes the next one', async () => {
  withLimits({ threads: 1 });
  async function* failing() {
    yield Buffer.from(rowsWith(10, 'c'));
    throw new AppError('UNAVAILABLE', 'The store is away.');
  }
  await expect(joined(table(failing(), csv, present, threads))).rejects.toThrow('The store is away.');
  await expect(joined(table(chunks('{"key":\n'), csv, present, threads))).rejects.toThrow('no JSON');
  expect((await joined(table(chunks(rowsWith(3, 'c')), csv, present, threads))).toString()).toContain(
    'key 2,c 2',
  );
  expect(threads.use).toEqual({ threads: 1, files: 0, memory: 0 });
});

it('a thread that dies fails its files with a clear error, and the next file gets another thread', async () => {
  withLimits({ threads: 1 });
  const started = once(process, 'worker') as Promise<[Worker]>;
  const beside = table(chunks(rowsWith(2_000, 'c'), 10), csv, present, threads);
  await beside.next();
  const waiting = joined(table(chunks(rowsWith(100_000, 'c')), qvd, present, threads));
  const [worker] = await started;
  await worker.terminate();
  const failure = { code: 'UNAVAILABLE', message: expect.stringContaining('has stopped') as string };
  await expect(waiting).rejects.toMatchObject(failure);
  await expect(joined(beside)).rejects.toMatchObject(failure);
  expect(threads.use).toEqual({ threads: 0, files: 0, memory: 0 });
  expect((await joined(table(chunks(rowsWith(3, 'c')), csv, present, threads))).toString()).toContain(
    'key 2,c 2',
  );
  expect(threads.use).toEqual({ threads: 1, files: 0, memory: 0 });
});

it('more than the memory of a file is refused before the file begins', async () => {
  withLimits({ fileBytes: 200_000 });
  const refused = joined(table(chunks(rowsWith(5_000, 'x'.repeat(100))), qvd, present, threads));
  await expect(refused).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

it('when all files hold too much, only those are refused that hold more than their share', async () => {
  withLimits({ allBytes: 8_000_000 });
  const waiting = Promise.withResolvers<void>();
  async function* small() {
    yield Buffer.from(rowsWith(10, 'c'));
    await waiting.promise;
    yield Buffer.from(rowsWith(10, 'c'));
  }
  const made = joined(table(small(), qvd, present, threads));
  const large = () => joined(table(chunks(rowsWith(100_000, 'x'.repeat(100))), qvd, present, threads));
  await expect(large()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  waiting.resolve();
  expect((await made).length).toBeGreaterThan(0);
});
