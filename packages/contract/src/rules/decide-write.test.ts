import { expect, it } from 'vitest';
import { nameOf, STORED_VERSION, writeCases } from '../testing/write-cases.ts';
import { decideWrite } from './decide-write.ts';

it.each(writeCases.map((one) => [nameOf(one), one] as const))(
  '%s',
  (_, { stored, version, isSame, action }) => {
    const row = { version: STORED_VERSION };
    const [living, deleted] = [stored === 'living' ? row : undefined, stored === 'deleted' ? row : undefined];
    const found = stored === 'none' || action === 'conflict' ? {} : { [stored]: row };
    expect(decideWrite(version, living, deleted, isSame)).toEqual({ action, ...found });
  },
);

it('is tried with every kind of row, version and value', () => {
  expect(new Set(writeCases.map(nameOf)).size).toBe(writeCases.length);
  const actions = new Set(writeCases.map(({ action }) => action));
  expect([...actions].sort()).toEqual(['conflict', 'insert', 'replace', 'revive', 'same']);
});
