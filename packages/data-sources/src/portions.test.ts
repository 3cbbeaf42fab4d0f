import { expect, test } from 'vitest';
import { FetchSize, inPortions } from './portions.ts';

const text = (characters: number) => 'x'.repeat(characters);

async function sizesOf(rows: string[][]): Promise<number[]> {
  const sizes: number[] = [];
  async function* one() {
    yield* rows;
  }
  for await (const portion of inPortions(one())) sizes.push(portion.length);
  return sizes;
}

test('a portion ends by its characters as well as by its rows', async () => {
  expect(await sizesOf(Array.from({ length: 4_500 }, () => ['a']))).toEqual([2_000, 2_000, 500]);
  expect(await sizesOf(Array.from({ length: 5 }, () => [text(600_000)]))).toEqual([2, 2, 1]);
  expect(await sizesOf([])).toEqual([]);
});

test('a cursor is asked for few rows until their size is known, and for one when they are large', () => {
  const size = new FetchSize();
  expect(size.rows).toBe(16);
  size.learn(Array.from({ length: 16 }, () => ['a']));
  expect(size.rows).toBe(64);
  size.learn(Array.from({ length: 64 }, () => [text(10_000_000)]));
  expect(size.rows).toBe(1);
  for (let n = 0; n < 10; n++) size.learn([['a']]);
  expect(size.rows).toBe(2_000);
});
