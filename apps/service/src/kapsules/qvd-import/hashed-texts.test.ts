import { expect, it } from 'vitest';
import { sized } from '../../../../../tools/test-size.ts';
import { HashedTexts } from './hashed-texts.ts';

const COUNT = sized(1_000_000, 50_000);

it('keeps the last number of each text in little memory, whatever the length of the texts', () => {
  const before = process.memoryUsage().arrayBuffers;
  const texts = new HashedTexts();
  const long = 'ä'.repeat(90);
  for (let index = 0; index < COUNT; index += 1) texts.set(`${long}${index}`, index);
  texts.set(`${long}7`, 8);
  expect(texts.size).toBe(COUNT);
  expect([texts.get(`${long}7`), texts.get(`${long}8`), texts.get(long)]).toEqual([8, 8, undefined]);
  for (let index = 10; index < COUNT; index += 997) expect(texts.get(`${long}${index}`)).toBe(index);
  for (let index = 0; index < 1000; index += 1) expect(texts.get(`${long}-${index}`)).toBeUndefined();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * COUNT + 10_000_000);
});
