import { expect, test } from 'vitest';
import { failedTests, fromPlaywright, fromVitest, sum } from './test-counts.mjs';

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((test_) => ({ status: test_ })),
});

test('counts every test once', () => {
  const report = {
    testResults: [file('failed', 'passed', 'failed'), file('passed', 'passed', 'pending', 'todo')],
  };
  expect(fromVitest(1, report)).toEqual({ passed: 2, failed: 1, skipped: 2 });
});

test('a file that can not be loaded counts as a failure', () => {
  expect(fromVitest(1, { testResults: [file('failed'), file('passed', 'passed')] })).toEqual({
    passed: 1,
    failed: 1,
    skipped: 0,
  });
});

test('names what has failed, and why', () => {
  const assertionResults = [
    { status: 'passed', fullName: 'a sum is right' },
    {
      status: 'failed',
      fullName: 'a sum is wrong',
      failureMessages: ['expected 1 to be 2\n  at sum.test.ts:3'],
    },
  ];
  const testResults = [
    { name: 'sum.test.ts', status: 'failed', assertionResults },
    { name: 'broken.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
    { name: 'good.test.ts', status: 'passed', assertionResults: [] },
  ];
  expect(failedTests({ testResults })).toEqual([
    'sum.test.ts: a sum is wrong: expected 1 to be 2',
    'broken.test.ts: no such module',
  ]);
  expect(failedTests(undefined)).toEqual([]);
});

test('a run with a non-zero exit code has failed, even without a report', () => {
  expect(fromVitest(1, undefined).failed).toBe(1);
  expect(fromPlaywright(1, undefined).failed).toBe(1);
  expect(fromVitest(1, { testResults: [file('passed', 'passed')] }).failed).toBe(1);
});

test('a flaky browser test counts as failed', () => {
  const stats = { expected: 3, unexpected: 1, flaky: 1, skipped: 2 };
  expect(fromPlaywright(1, { stats })).toEqual({ passed: 3, failed: 2, skipped: 2 });
});

test('the total is the sum of both', () => {
  const a = { passed: 1, failed: 2, skipped: 3 };
  expect(sum([a, a])).toEqual({ passed: 2, failed: 4, skipped: 6 });
});
