import { expect, test } from 'vitest';
import { keysApart } from './keys-apart.ts';

test('keys that a collation may take for the same are in different parts, in their order', () => {
  const parts = (...keys: string[]) =>
    keysApart(keys.map((key) => ({ key }))).map((part) => part.map(({ key }) => key));
  expect(parts('a', 'b', 'a')).toEqual([['a', 'b', 'a']]);
  expect(parts('New', 'x', 'NEW', 'new ')).toEqual([['New', 'x'], ['NEW'], ['new ']]);
  expect(parts('é', 'e', 'straße', 'STRASSE')).toEqual([['é'], ['e', 'straße'], ['STRASSE']]);
  expect(parts()).toEqual([]);
});
