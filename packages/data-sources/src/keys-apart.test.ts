import { expect, test } from 'vitest';
import { keysApart } from './keys-apart.ts';

test('keys that a collation may take for the same are in different parts, as few as there can be', () => {
  const parts = (...keys: string[]) =>
    keysApart(keys.map((key) => ({ key }))).map((part) => part.map(({ key }) => key));
  expect(parts('a', 'b', 'a')).toEqual([['a', 'b', 'a']]);
  expect(parts('New', 'x', 'NEW', 'new ', 'new ', 'x')).toEqual([
    ['New', 'x', 'x'],
    ['NEW'],
    ['new ', 'new '],
  ]);
  expect(parts('é', 'e', 'straße', 'STRASSE')).toEqual([
    ['é', 'straße'],
    ['e', 'STRASSE'],
  ]);
  expect(parts('a', 'A', 'a')).toEqual([['a'], ['A'], ['a']]);
  expect(parts()).toEqual([]);
});
