import { describe, expect, it } from 'vitest';
import type { Row } from './dialect.ts';
import { fetchPortions, inPortions, PORTION_ROWS } from './portions.ts';

const rowsOf = (count: number, characters: number): Row[] =>
  Array.from({ length: count }, (_, n) => [n, 'x'.repeat(characters)]);

async function* oneByOne(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

function fetching(rows: readonly Row[]) {
  let at = 0;
  return async (count: number) => rows.slice(at, (at += count));
}

async function collected(portions: AsyncIterable<Row[]>): Promise<Row[][]> {
  const all: Row[][] = [];
  for await (const portion of portions) all.push(portion);
  return all;
}

const ways = {
  'come one by one': (rows: Row[]) => inPortions(oneByOne(rows)),
  'are fetched': (rows: Row[]) => fetchPortions(fetching(rows)),
};

describe.each(Object.entries(ways))('rows that %s', (_, portionsOf) => {
  it.each([0, 1, 99, 100, 101, 2_100, 10_000])('all come in their order: %i of them', async (count) => {
    const rows = rowsOf(count, 10);
    const portions = await collected(portionsOf(rows));
    expect(portions.flat()).toEqual(rows);
    for (const portion of portions) expect(portion.length).toBeLessThanOrEqual(PORTION_ROWS);
  });

  it('are few at a time when they are large, so that a slow consumer keeps little in memory', async () => {
    const rows = rowsOf(300, 100_000);
    const [, ...portions] = await collected(portionsOf(rows));
    for (const portion of portions) expect(portion.length).toBeLessThanOrEqual(11);
  });
});
