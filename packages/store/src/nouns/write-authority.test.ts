import { describe, expect, it } from 'vitest';
import type { AnyNoun } from './all.ts';
import { apiKeys } from './api-keys.ts';
import { fromStored, toStored } from './forms.ts';
import { groups } from './groups.ts';
import type { Fields } from './noun.ts';

/** Reads a document back as this version does, after `edit` of an earlier version, which keeps what it does not know. */
const editedByEarlier = (noun: AnyNoun, document: Fields, edit: Fields) =>
  fromStored(noun, { ...toStored(noun, document, 1), ...edit });

describe('a group with WRITE beside an earlier version', () => {
  const authority = (...granted: string[]): Fields => ({ groupname: 'g', authority: granted });
  it.each([
    [['READ'], ['READ']],
    [
      ['READ', 'DELETE'],
      ['READ', 'DELETE'],
    ],
    [['READ', 'WRITE'], ['READ']],
    [
      ['READ', 'WRITE', 'DELETE'],
      ['READ', 'DELETE'],
    ],
  ])('%j is %j for that version', (granted, known) => {
    const stored = toStored(groups, authority(...granted), 1);
    expect(stored['authority']).toEqual(known);
    expect(editedByEarlier(groups, authority(...granted), {})).toEqual(authority(...granted));
  });

  it('keeps WRITE when that version changes something else', () => {
    const edit = { groupname: 'renamed', authority: ['READ'] };
    const read = editedByEarlier(groups, authority('READ', 'WRITE'), edit);
    expect(read).toEqual({ groupname: 'renamed', authority: ['READ', 'WRITE'] });
  });

  it('gives WRITE to a member whom that version adds, so that no other member loses it', () => {
    const group = { ...authority('READ', 'WRITE'), userIds: ['a'] };
    expect(editedByEarlier(groups, group, { userIds: ['a', 'b'] })).toEqual({
      ...group,
      userIds: ['a', 'b'],
    });
  });

  it.each([
    [
      ['READ', 'WRITE'],
      ['READ', 'DELETE'],
    ],
    [['READ', 'WRITE', 'DELETE'], ['READ']],
  ])('%j has what that version grants afterwards: %j', (before, granted) => {
    const read = editedByEarlier(groups, authority(...before), { authority: granted });
    expect(read).toEqual(authority(...granted));
  });
});

describe('a key that only reads, beside an earlier version', () => {
  const key = { name: 'k', authority: 'READ' };
  it.each([[key], [{ ...key, expiresAt: '2030-01-01T00:00:00.000Z' }]])(
    '%j has expired there',
    (document) => {
      const { expiresAt } = toStored(apiKeys, document, 1);
      expect(expiresAt).toBe('1970-01-01T00:00:00.000Z');
      expect(editedByEarlier(apiKeys, document, { lastUsedAt: 'now' })).toEqual({
        ...document,
        lastUsedAt: 'now',
      });
    },
  );

  it('leaves other keys as they are', () => {
    for (const document of [{ name: 'old' }, { name: 'new', authority: 'DELETE', mayDelete: true }])
      expect(toStored(apiKeys, document, 1)).toEqual(document);
  });
});
