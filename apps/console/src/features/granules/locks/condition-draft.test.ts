import type { RuledField } from '@kaptain/contract/field-rules';
import { type Lock, lockProblem } from '@kaptain/contract/locks';
import { describe, expect, it } from 'vitest';
import { aboutField, comparisonsAbout, newCondition, readCondition, subjects } from './condition-draft.ts';
import { draftOf, isWhole, lockOf, wholeLock } from './lock-draft.ts';
import { lockSentence } from './lock-sentence.ts';

const fields: RuledField[] = [
  { name: 'Period', type: 'text' },
  { name: 'Amount', type: 'number', label: 'Value', unit: 'EUR', thousands: true },
  { name: 'Day', type: 'date' },
  { name: 'Done', type: 'boolean' },
  { name: 'Tags', type: 'list' },
  { name: 'Talk', type: 'thread' },
];
const period = { on: 'field', field: 'Period', is: 'atMost', value: '2026-10' } as const;
const lock = (rest: Partial<Lock> = {}): Lock => ({
  name: 'Shut',
  closes: 'when',
  conditions: [],
  openers: 'DELETE',
  ...rest,
});
const full = lock({
  fields: ['Amount', 'Talk'],
  closes: 'unless',
  mayEnter: true,
  openers: 'OWNER',
  conditions: [
    period,
    { on: 'field', field: 'Amount', is: 'atLeast', value: 1000 },
    { on: 'field', field: 'Day', is: 'differs', value: '2026-10-31' },
    { on: 'field', field: 'Done', is: 'equals', value: true },
    { on: 'field', field: 'Tags', is: 'filled' },
    { on: 'group', groupIds: ['g1', 'g2'] },
    { on: 'person', usernames: ['vera'] },
    { on: 'time', is: 'after', at: '2026-10-31' },
    { on: 'time', is: 'before', at: '2026-12-31T10:00:00.000Z' },
  ],
});

describe('the draft of a lock', () => {
  it.each([lock(), full, wholeLock([], 'OWNER')])('gives back the lock that it was made of: %j', (one) => {
    expect(lockOf(draftOf(one, fields), fields)).toEqual(one);
    expect(lockProblem(one, fields)).toBeUndefined();
  });

  it.each([
    [aboutField('Amount'), 'some', 'Value is not a valid number!'],
    [aboutField('Amount'), '', 'Value is required!'],
    [aboutField('Day'), '2026-02-30', 'Day is not a valid date, e.g. 2026-12-31!'],
    [aboutField('Done'), '', 'Done is required!'],
    ['day', '', 'The day is required!'],
    ['time', 'soon', 'The time is not a valid time, e.g. 2026-12-31 23:59!'],
    ['group', '', 'Choose a group!'],
    ['person', '', 'Choose a person!'],
  ])('with a condition about %s that has %j is told: %s', (about, text, problem) => {
    expect(readCondition({ ...newCondition(about, fields), text }, fields)).toEqual({ problem });
  });

  it('offers comparisons by the type, and no thread', () => {
    expect(subjects(fields).map(({ label }) => label)).toEqual([
      'Period',
      'Value',
      'Day',
      'Done',
      'Tags',
      'The person (groups)',
      'The person (user name)',
      'The day (UTC)',
      'The time',
    ]);
    expect(comparisonsAbout(aboutField('Done'), fields).map(({ label }) => label)).toEqual([
      'is',
      'is not',
      'is empty',
      'is filled',
    ]);
    expect(comparisonsAbout('day', fields).map(({ value }) => value)).toEqual(['before', 'after']);
  });

  it('of a whole kapsule has a name that is free', () => {
    const first = wholeLock([], 'DELETE');
    const second = wholeLock([{ ...first, name: 'closed' }], 'DELETE');
    expect([first.name, second.name]).toEqual(['Closed', 'Closed 2']);
    expect([first, full, lock({ mayEnter: true })].map(isWhole)).toEqual([true, false, false]);
  });
});

describe('the sentence of a lock', () => {
  const names = { fields, groups: new Map([['g1', 'Finance']]), granule: { many: 'rows' } };

  it.each([
    [lock({ openers: 'OWNER' }), 'Closed: all rows, for everyone; opened again by the owner and ADMINs.'],
    [
      lock({ conditions: [period] }),
      'Closed: rows where Period is at most 2026-10, for everyone; opened again by all who may delete.',
    ],
    [
      lock({ fields: ['Amount'], conditions: [{ on: 'group', groupIds: ['g1'] }] }),
      'Closed: Value of all rows, for members of Finance; opened again by all who may delete.',
    ],
    [
      lock({ conditions: full.conditions.slice(1, 4), mayEnter: true }),
      'Closed: rows where Value is at least 1,000\u00a0EUR, Day is not 2026-10-31, and Done is Yes, for everyone; new rows and empty values may still be entered; opened again by all who may delete.',
    ],
    [
      lock({ closes: 'unless', conditions: full.conditions.slice(5, 8) }),
      'Closed, except: all rows, for members of Finance or a group that you do not see, for vera, after 2026-10-31 (UTC); opened again by all who may delete.',
    ],
  ])('%j', (one, sentence) => {
    expect(lockSentence(one, names)).toBe(sentence);
  });
});
