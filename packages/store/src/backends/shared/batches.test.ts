import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Batches } from './batches.ts';

const moment = async () => {
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
};

it('sends one statement for all keys asked for meanwhile, and answers no call from an earlier statement', async () => {
  const asked: string[][] = [];
  const answers: PromiseWithResolvers<ReadonlyMap<string, number>>[] = [];
  const batches = new Batches<number>((keys) => {
    asked.push(keys);
    const answer = Promise.withResolvers<ReadonlyMap<string, number>>();
    answers.push(answer);
    return answer.promise;
  });
  const first = ['a', 'b', 'a'].map((key) => batches.get(key));
  await moment();
  expect(asked).toEqual([['a', 'b']]);
  const second = batches.get('b');
  await moment();
  expect(asked).toEqual([['a', 'b'], ['b']]);
  const later = ['a', 'b', 'c', 'a'].map((key) => batches.get(key));
  await moment();
  expect(asked).toHaveLength(2);
  answers[0]?.resolve(new Map([['a', 1]]));
  expect(await Promise.all(first)).toEqual([1, undefined, 1]);
  expect(asked[2]).toEqual(['a', 'b', 'c']);
  answers[2]?.resolve(
    new Map([
      ['a', 2],
      ['b', 2],
    ]),
  );
  expect(await Promise.all(later)).toEqual([2, 2, undefined, 2]);
  answers[1]?.reject(new RangeError('down'));
  await expect(second).rejects.toThrow('down');
  const again = batches.get('a');
  await moment();
  answers[3]?.resolve(new Map([['a', 3]]));
  expect(await again).toBe(3);
});
