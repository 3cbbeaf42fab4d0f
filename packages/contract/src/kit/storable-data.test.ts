import { expect, it } from 'vitest';
import { limits } from '../rules/limits.ts';
import { storableData } from './storable-data.ts';

const problemOf = (data: unknown) => storableData.safeParse(data).error?.issues.map(({ message }) => message);

const nested = (levels: number): unknown => (levels === 0 ? 'end' : { in: nested(levels - 1) });

it('says why data can not be stored', () => {
  expect(problemOf([])).toEqual(['A granule needs an object of data.']);
  expect(problemOf({ n: Infinity })).toEqual(['A number is too large.']);
  expect(problemOf({ list: [1, { t: '\ud800' }] })).toEqual([
    'The text contains characters that cannot be stored.',
  ]);
  expect(problemOf({ 'a\u0000b': 1 })).toEqual(['The text contains characters that cannot be stored.']);
  expect(problemOf({ in: { ['n'.repeat(limits.nameCharacters + 1)]: 1 } })).toEqual([
    `A name in the data has at most ${limits.nameCharacters} characters.`,
  ]);
  expect(problemOf(nested(20))).toBeUndefined();
  expect(problemOf(nested(21))).toEqual(['The data has at most 20 levels.']);
  expect(problemOf({ text: 'ł', number: -1.5e300, list: [null, true], none: undefined })).toBeUndefined();
});
