import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { KeyedMutex } from './keyed-mutex.ts';

it('runs work of one key in its order, also after a failure, and does not let another key wait', async () => {
  const mutex = new KeyedMutex();
  const order: string[] = [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const work = (name: string, before?: Promise<void>) => async () => {
    await before;
    order.push(name);
    if (name === 'a1') throw new Error('failed');
  };
  const [first, second] = [mutex.run('a', work('a1', held)), mutex.run('a', work('a2'))];
  await mutex.run('b', work('b1'));
  expect([mutex.pending('a'), mutex.pending('b'), mutex.pending('c')]).toEqual([2, 0, 0]);
  release();
  await expect(first).rejects.toThrow('failed');
  await second;
  await setImmediate();
  expect(order).toEqual(['b1', 'a1', 'a2']);
  expect(mutex.pending('a')).toBe(0);
});
