import { expect, test } from 'vitest';
import { fromPlaywright, fromVitest, sum } from './test-counts.mjs';

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
