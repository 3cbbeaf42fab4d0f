import { expect, it } from 'vitest';
import { idAt, isId, newId } from './ids.ts';

it('gives 100,000 ids that are all different and in order', () => {
  const ids = Array.from({ length: 100_000 }, () => newId());
  expect(ids.every(isId)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
});

it('carries its time', () => {
  const before = idAt(new Date().toISOString());
  const id = newId();
  const after = idAt(new Date(Date.now() + 1_000).toISOString());
  expect(id >= before && id < after).toBe(true);
});

it('knows no id of a time that is none', () => {
  expect(() => idAt('yesterday')).toThrow(RangeError);
});
