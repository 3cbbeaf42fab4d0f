import type { Kapsule } from '@kaptain/contract/kapsules';
import { limits } from '@kaptain/contract/limits';
import type { SessionUser } from '@kaptain/contract/session';
import { describe, expect, test } from 'vitest';
import { mayAdd } from '../../shared/may-add.ts';
import { sampleKapsule } from '../../testing/sample-kapsule.ts';
import { nameToType } from './delete-rules.ts';
import { importMessage } from './import-message.ts';
import { matchingKapsules } from './matching-kapsules.ts';
import { readKap } from './read-kap.ts';
import { refusedNames } from './refused-names.ts';
import { structureDifference } from './structure-difference.ts';

test.each<[string, Pick<SessionUser, 'role' | 'isCreate'>, boolean]>([
  ['an ADMIN', { role: 'ADMIN' }, true],
  ['a USER who may create', { role: 'USER', isCreate: true }, true],
  ['a USER of a service that does not say', { role: 'USER' }, true],
  ['a USER who may not create', { role: 'USER', isCreate: false }, false],
])('Add is offered or not to %s', (_, user, isOffered) => {
  expect(mayAdd(user)).toBe(isOffered);
});

describe('the search for kapsules', () => {
  const kapsules = [
    sampleKapsule({ name: 'Sales', table: 'SalesComments', owner: 'CORPORATE\\jane' }),
    sampleKapsule({ name: 'budget', table: 'FC', owner: 'CORPORATE\\jo' }),
  ];
  test.each([
    ['the name in any case', ' BUDG ', ['budget']],
    ['the table in any case', 'salescomm', ['Sales']],
    ['not the owner', 'corporate', []],
    ['no text, and finds all', ' ', ['Sales', 'budget']],
  ])('looks at %s', (_, search, expected) => {
    expect(matchingKapsules(kapsules, search).map(({ name }) => name)).toEqual(expected);
  });
});

test('a deletion asks for the name of the largest kapsule that the user may delete, if that is large', () => {
  const sized = (name: string, total: number, authority: Kapsule['authority'] = ['READ', 'DELETE']) =>
    sampleKapsule({ name, authority, granules: { total, notReloaded: 0 } });
  const { largeKapsuleGranules: large } = limits;
  const ledger = sized('Ledger', 99_999, ['READ']);
  const both = [sized('Small', large - 1), sized('Sales', large)];
  expect(nameToType([...both, ledger], 'USER')).toBe('Sales');
  expect(nameToType([...both, ledger], 'ADMIN')).toBe('Ledger');
  expect(nameToType([sized('Small', large - 1), ledger], 'USER')).toBeUndefined();
});

test('the message of a refused deletion is a list of names, or a text', () => {
  expect(refusedNames('["Stock","Plan"]')).toEqual(['Stock', 'Plan']);
  for (const text of ['The database sleeps.', '{"name":"Stock"}', ''])
    expect(refusedNames(text)).toBeUndefined();
});

test('the result of an import is told to the letter', () => {
  expect(importMessage({ file: 'a.kap' })).toBe('a.kap import successfully');
  expect(importMessage({ file: 'a.kap', failure: 'no' })).toBe('a.kap import failed, log: no');
  expect(importMessage({ line: 'a.kap: done' })).toBe('a.kap: done');
});

test('a file that is no .kap file is told apart from one that is', async () => {
  const kapsule = { name: 'Other', keyField: 'OrderID', fields: [{ name: 'Comment', type: 'text' }] };
  const kap = new File([JSON.stringify({ format: 'kap', version: 1, kapsule })], 'a.kap');
  expect(await readKap(kap)).toMatchObject(kapsule);
  expect(await readKap(new File(['no json'], 'x.kap'))).toBe('This is not a .kap file.');
  expect(await readKap(new File(['{}'], 'x.kap'))).toEqual(expect.any(String));
});

test('the difference of two structures names added, removed and retyped fields, and another table', () => {
  const field = (name: string, type: 'text' | 'number' | 'date' | 'boolean') => ({ name, type });
  const old = { table: 'A', fields: [field('Same', 'text'), field('Amount', 'text'), field('Old', 'date')] };
  const now = {
    table: 'B',
    fields: [field('Same', 'text'), field('Amount', 'number'), field('New', 'boolean')],
  };
  expect(structureDifference(old, now)).toEqual({
    fields: [
      { kind: 'retyped', name: 'Amount', before: 'text', after: 'number' },
      { kind: 'added', name: 'New', after: 'boolean' },
      { kind: 'removed', name: 'Old', before: 'date' },
    ],
    table: { before: 'A', after: 'B' },
  });
  expect(structureDifference(old, old)).toEqual({ fields: [] });
  const ruled = { ...field('Same', 'text'), label: 'L', required: true, max: 9 };
  expect(structureDifference(old, { ...old, fields: [ruled, ...old.fields.slice(1)] })).toEqual({
    fields: [{ kind: 'ruled', name: 'Same', before: '', after: 'label L, required, at most 9 characters' }],
  });
});
