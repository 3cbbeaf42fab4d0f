import { expect, it } from 'vitest';
import { freeMemory } from './free-memory.ts';

it('frees bytes that have a buffer of their own, and leaves a shared buffer to the others', () => {
  const own = new Uint8Array(8);
  freeMemory(own);
  expect(own.length).toBe(0);
  const [one, other] = [new Uint8Array(8), new Uint8Array(8)].map((whole) => whole.subarray(0, 4));
  freeMemory(one as Uint8Array);
  expect([one?.length, other?.length]).toEqual([4, 4]);
});
