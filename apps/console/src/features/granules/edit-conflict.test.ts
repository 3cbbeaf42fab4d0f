import { ApiError } from '@kaptain/contract/client';
import type { RuledField } from '@kaptain/contract/field-rules';
import { expect, test } from 'vitest';
import { conflictAdvice, storedInstead } from './edit-conflict.ts';

const refused = (details: unknown, code = 'CONFLICT') =>
  new ApiError(409, code, 'Changed.', undefined, details);
const fields: RuledField[] = [
  { name: 'Comment', type: 'text' },
  { name: 'Amount', type: 'number' },
];

test('only a conflict with the stored version tells what is stored instead', () => {
  const conflicts = [{ storedVersion: 4, storedData: { Comment: 'x' } }];
  expect(storedInstead(refused({ conflicts }))).toEqual({ version: 4, data: { Comment: 'x' } });
  const gone = [{ storedVersion: 0, storedData: null }];
  expect(storedInstead(refused({ conflicts: gone }))).toEqual({ version: 0, data: undefined });
  for (const other of [
    refused({ conflicts }, 'STALE'),
    refused({ conflicts: [{}] }),
    refused({ conflicts: 'all' }),
    refused(undefined),
    new Error('offline'),
    null,
  ])
    expect(storedInstead(other)).toBeUndefined();
});

test('the advice names what others have changed, and what another Save does', () => {
  const before = { Comment: 'mine', Amount: 1 };
  const advice = (data: Record<string, unknown> | undefined) =>
    conflictAdvice(before, { version: 4, data }, fields);
  expect(advice(undefined)).toMatch(/^It is deleted now\. Save again to store it anew/);
  expect(advice({ Comment: 'theirs' })).toMatch(
    /^Now it has Comment: “theirs”, Amount: no value\. Save again/,
  );
  expect(advice({ ...before, other: 2 })).toMatch(/^Save again to store the fields/);
  expect(advice({ Comment: 'x'.repeat(1_000), Amount: 1 }).length).toBeLessThan(400);
});
