import { expect, test } from 'vitest';
import { openQvd, openSource } from './node.ts';
import { blobSource } from './sources/blob-source.ts';
import { craft } from './testing/craft.ts';
import { generatedSource } from './testing/hostile/case.ts';
import { qvdBytes, toArray, withFile, written } from './testing/memory-file.ts';

const LONG = Array.from({ length: 20_000 }, (_, row) => [
  row % 7 === 0 ? null : row % 100,
  `text ${row % 50}`,
  row,
]);
const COLUMNS = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];

test('only the chosen columns are returned, in the requested order', async () => {
  const qvd = await written(COLUMNS, [[1, 'x', 2]]);
  expect(await toArray(qvd.rows({ columns: ['c', 'a'] }))).toEqual([[2, 1]]);
});

test('an unknown column is refused by name', async () => {
  const qvd = await written(COLUMNS, [[1, 'x', 2]]);
  const rows = toArray(qvd.rows({ columns: ['nope'] }));
  await expect(rows).rejects.toMatchObject({ code: 'COLUMN_UNKNOWN', field: 'nope' });
});

test('blocks have no gaps, and the NULL counts are known at the end', async () => {
  const qvd = await written(COLUMNS, LONG);
  expect(qvd.columns[0]?.nullCount).toBeUndefined();
  expect(qvd.columns[1]?.type).toBe('text');
  let next = 0;
  for await (const { firstRow, rowCount, vectors } of qvd.blocks()) {
    expect(firstRow).toBe(next);
    expect(vectors.map(({ codes }) => codes.length)).toEqual([rowCount, rowCount, rowCount]);
    next += rowCount;
  }
  expect(next).toBe(LONG.length);
  expect(qvd.columns[0]?.nullCount).toBe(Math.ceil(LONG.length / 7));
});

test('blocks stay valid, unless their arrays are reused', async () => {
  const qvd = await written(COLUMNS, LONG);
  const kept = await toArray(qvd.codes({ columns: ['c'] }));
  expect(kept.map(({ codes, firstRow }) => (codes[0]?.[0] ?? 0) - firstRow)).toEqual(kept.map(() => 0));
  const reused = await toArray(qvd.codes({ columns: ['c'], reuse: true }));
  expect(new Set(reused.map(({ codes }) => codes[0]?.buffer)).size).toBe(1);
});

test('an abort ends the reading before the next block', async () => {
  const qvd = await written(COLUMNS, LONG);
  const abort = new AbortController();
  let blocks = 0;
  const reading = (async () => {
    for await (const _ of qvd.blocks({ signal: abort.signal })) {
      blocks++;
      abort.abort();
    }
  })();
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  expect(blocks).toBe(1);
});

test('an abort ends the opening and closes the file', async () => {
  let closed = 0;
  const source = { ...blobSource(await qvdBytes(COLUMNS, LONG)), close: async () => void closed++ };
  await expect(openSource(source, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  });
  expect(closed).toBe(1);
});

test('a slow consumer is waited for: at most one read is ahead', async () => {
  const rows = 20_000_000;
  const head = craft({ root: { NoOfRecords: rows, Length: rows } }).slice(0, -4);
  const source = generatedSource(head.length + rows, head, 0b1000);
  let reads = 0;
  const watched: typeof source = { ...source, read: (...given) => (reads++, source.read(...given)) };
  const qvd = await openSource(watched);
  const before = reads;
  const blocks = qvd.blocks();
  await blocks.next();
  await expect.poll(() => reads - before).toBe(2);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(reads - before).toBe(2);
  await blocks.return(undefined);
});

test('the rows can be read twice, and also after stopping early', async () => {
  const qvd = await written(COLUMNS, LONG);
  for await (const _ of qvd.rows()) break;
  expect((await toArray(qvd.rows())).length).toBe(LONG.length);
  expect((await toArray(qvd.rows({ columns: ['a'] }))).length).toBe(LONG.length);
  expect((await toArray(qvd.rows())).at(-1)).toEqual(LONG.at(-1));
});

test('await using closes the descriptor', async () => {
  await withFile(craft(), async (path) => {
    const open = async () => {
      await using qvd = await openQvd(path);
      return qvd;
    };
    await expect(toArray((await open()).rows())).rejects.toThrow('closed');
  });
});
