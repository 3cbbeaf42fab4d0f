import { describe, expect, test } from 'vitest';
import { variants } from '../../variants/variants.ts';
import { changesOf } from './audit-changes.ts';
import { filterOf, noFilter } from './audit-filter.ts';
import { actionName, fieldName, targetKind } from './audit-words.ts';

const { words } = variants.default;
const { words: otherWords } = variants.alternative;

describe('the words of the audit trail', () => {
  test('are those of the variant', () => {
    expect([words, otherWords].map((chosen) => actionName('kapsule.create', chosen))).toEqual([
      'Kapsule created',
      'Data source created',
    ]);
    expect(actionName('granule.remove', otherWords)).toBe('Records deleted');
    expect(targetKind('kapsule:k-1', otherWords)).toBe('Data source');
    expect(fieldName('isCreate', otherWords)).toBe('Can Create Data source');
  });

  test('show an action, a kind and a field they do not know as they are', () => {
    expect(actionName('future.thing', words)).toBe('future.thing');
    expect(targetKind('moon:1', words)).toBe('Moon');
    expect(['job:1', 'settings:1'].map((target) => targetKind(target, words))).toEqual([
      'Reload',
      'Settings',
    ]);
    expect(fieldName('newField', words)).toBe('New field');
  });
});

describe('the filters of the audit trail', () => {
  const now = Date.parse('2026-03-04T05:00:00Z');

  test('are taken from the URL', () => {
    expect(
      filterOf(
        {
          q: ' jane ',
          actor: 'u-admin',
          action: 'user.update',
          target: 'user:u-jane',
          time: 'custom',
          since: '2026-03-01T00:00:00.000Z',
          until: '2026-03-31T00:00:00.000Z',
        },
        now,
      ),
    ).toEqual({
      q: 'jane',
      actorId: 'u-admin',
      action: 'user.update',
      target: 'user:u-jane',
      since: '2026-03-01T00:00:00.000Z',
      until: '2026-03-31T00:00:00.000Z',
    });
  });

  test('count the last hour from now, and leave out an unknown action or time', () => {
    expect(filterOf({ ...noFilter, time: '1h' }, now)).toEqual({ since: '2026-03-04T04:00:00.000Z' });
    expect(filterOf({ ...noFilter, action: 'nonsense', time: 'whenever' }, now)).toEqual({});
  });
});

test('the difference of an entry marks what stands on both sides', () => {
  const before = { role: 'USER', groups: ['Sales', 'Finance'], isCreate: false };
  const after = { role: 'ADMIN', groups: ['Sales'], qlikId: '' };
  const line = (text: string, isSame = false) => ({ text, isSame });
  expect(changesOf({ before, after })).toEqual([
    { field: 'role', before: [line('USER')], after: [line('ADMIN')] },
    { field: 'groups', before: [line('Sales', true), line('Finance')], after: [line('Sales', true)] },
    { field: 'isCreate', before: [line('No')], after: [] },
    { field: 'qlikId', before: [], after: [] },
  ]);
});
