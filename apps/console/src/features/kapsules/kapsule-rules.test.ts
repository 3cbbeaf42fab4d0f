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
  expect(await readKap(kap)).toMatchObject({ version: 1, kapsule });
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
  const kapOf = (kapsule: typeof now) => ({ version: 2 as const, kapsule });
  expect(structureDifference(old, kapOf(now))).toEqual({
    fields: [
      { kind: 'retyped', name: 'Amount', before: 'text', after: 'number' },
      { kind: 'added', name: 'New', after: 'boolean' },
      { kind: 'removed', name: 'Old', before: 'date' },
    ],
    isReordered: false,
    table: { before: 'A', after: 'B' },
  });
  expect(structureDifference(old, kapOf(old))).toEqual({ fields: [], isReordered: false });
  expect(structureDifference(old, kapOf({ ...old, fields: old.fields.toReversed() }))).toEqual({
    fields: [],
    isReordered: true,
  });
  const rules = { ...field('Same', 'text'), label: 'L', required: true, max: 9, help: undefined };
  expect(structureDifference(old, kapOf({ ...old, fields: [rules, ...old.fields.slice(1)] })).fields).toEqual(
    [{ kind: 'ruled', name: 'Same', before: '', after: 'label L, required, at most 9 characters' }],
  );
});

test('the difference names every rule that goes away, also with its field and after the first choices', () => {
  const values = ['a', 'b', 'c', 'd', 'e', 'f'];
  const state = { name: 'State', type: 'choice', choices: values.map((value) => ({ value })) };
  const amount = { name: 'Amount', type: 'number', unit: 'EUR', thousands: true, default: 0 };
  const old: Pick<Kapsule, 'fields' | 'table'> = { table: '', fields: [state, amount] };
  const now: typeof old = {
    table: '',
    fields: [
      { ...state, choices: values.map((value) => ({ value, ...(value === 'f' && { color: 'red' }) })) },
    ],
  };
  expect(structureDifference(old, { version: 2, kapsule: now }).fields).toEqual([
    {
      kind: 'ruled',
      name: 'State',
      before: 'choices a; b; c; d; e; f',
      after: 'choices a; b; c; d; e; f (red)',
    },
    { kind: 'removed', name: 'Amount', before: 'number, thousands shown, in EUR, default 0' },
  ]);
});

test('a file of version 1 keeps rules and newer types that it can’t know, and the difference says what it does not keep', () => {
  const old: Pick<Kapsule, 'fields' | 'table'> = {
    table: '',
    fields: [
      { name: 'Note', type: 'paragraph', required: true },
      { name: 'State', type: 'choice', choices: [{ value: 'open' }] },
      { name: 'Stars', type: 'rating', max: 3 },
    ],
  };
  const fields = [
    { name: 'Note', type: 'text', required: false, max: 3 },
    { name: 'State', type: 'number' },
    { name: 'Stars', type: 'number' },
    { name: 'New', type: 'text', required: true },
  ];
  expect(structureDifference(old, { version: 1, kapsule: { table: '', fields } }).fields).toEqual([
    { kind: 'retyped', name: 'State', before: 'choice', after: 'number' },
    { kind: 'ruled', name: 'State', before: 'choices open', after: '' },
    { kind: 'added', name: 'New', after: 'text' },
  ]);
});
