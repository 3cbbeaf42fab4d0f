import { describe, expect, it } from 'vitest';
import type { Row } from './dialect.ts';
import { fetchBatches, groupRows } from './row-batches.ts';
import { BATCH_ROWS } from './tuning.ts';

const rowsOf = (count: number, characters: number): Row[] =>
  Array.from({ length: count }, (_, n) => [n, 'x'.repeat(characters)]);

async function* oneByOne(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

function fetching(rows: readonly Row[]) {
  let at = 0;
  return async (count: number) => rows.slice(at, (at += count));
}

async function collected(batches: AsyncIterable<Row[]>): Promise<Row[][]> {
  const all: Row[][] = [];
  for await (const batch of batches) all.push(batch);
  return all;
}

const ways = {
  'arrive one by one': (rows: Row[]) => groupRows(oneByOne(rows)),
  'are fetched': (rows: Row[]) => fetchBatches(fetching(rows)),
};

describe.each(Object.entries(ways))('rows that %s', (_, toBatches) => {
  it.each([0, 1, 99, 100, 101, 2_100, 10_000])('keep their order: %i rows', async (count) => {
    const rows = rowsOf(count, 10);
    const batches = await collected(toBatches(rows));
    expect(batches.flat()).toEqual(rows);
    for (const batch of batches) expect(batch.length).toBeLessThanOrEqual(BATCH_ROWS);
  });

  it('form small batches when they are large, which bounds the memory of a slow consumer', async () => {
    const rows = rowsOf(300, 100_000);
    const [, ...batches] = await collected(toBatches(rows));
    for (const batch of batches) expect(batch.length).toBeLessThanOrEqual(11);
  });
});
