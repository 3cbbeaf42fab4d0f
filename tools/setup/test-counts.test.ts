import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './project.mjs';
import {
  failedFiles,
  failedStories,
  failedTests,
  fromPlaywright,
  fromVitest,
  sum,
  withSecondTry,
} from './test-counts.mjs';

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

test('names what has failed by its path in the repository: that of the clone may have any words', () => {
  const name = join(root, 'apps', 'a.test.ts');
  const testResults = [{ name, status: 'failed', message: 'no such module', assertionResults: [] }];
  expect(failedTests({ testResults })).toEqual([`${join('apps', 'a.test.ts')}: no such module`]);
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
  expect(failedFiles({ testResults })).toEqual(['sum.test.ts', 'broken.test.ts']);
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

test('names the failed browser tests, also those in a block', () => {
  const block = { file: 'logs.spec.ts', specs: [{ title: 'is read', ok: false }] };
  const suites = [
    { file: 'login.spec.ts', specs: [{ title: 'is refused', ok: true }] },
    { file: 'logs.spec.ts', specs: [], suites: [block] },
  ];
  expect(failedStories({ suites })).toEqual(['e2e/logs.spec.ts: is read']);
  expect(failedStories(undefined)).toEqual([]);
});

test('what passes when it is repeated is unstable, what fails twice has failed', async () => {
  const first = { counts: { passed: 7, failed: 1, skipped: 2 }, failed: ['a.test.ts: is right'] };
  const passes = async () => ({ passed: 3, failed: 0, skipped: 0 });
  expect(await withSecondTry(first, passes)).toEqual({
    counts: { passed: 8, failed: 0, skipped: 2 },
    failed: [],
    unstable: ['a.test.ts: is right'],
  });
  const nothing = { passed: 0, failed: 0, skipped: 0 };
  for (const again of [{ ...nothing, passed: 2, failed: 1 }, nothing])
    expect(await withSecondTry(first, async () => again)).toEqual({ ...first, unstable: [] });
});

test('errors outside of tests are failures', () => {
  expect(fromVitest(1, { testResults: [file('passed', 'passed')] }, 2).failed).toBe(2);
  const stats = { expected: 3, unexpected: 0, flaky: 0, skipped: 0 };
  expect(fromPlaywright(1, { stats, errors: [{}] }).failed).toBe(1);
});

test('many failures, errors outside of tests, and what fails by chance are not repeated', async () => {
  const repeat = () => expect.fail('it was repeated');
  const failed = Array.from({ length: 13 }, (_, n) => `${n}.test.ts: is right`);
  const many = { counts: { passed: 7, failed: 13, skipped: 0 }, failed };
  const crashed = { counts: { passed: 0, failed: 1, skipped: 0 }, failed: [] };
  const counts = { passed: 7, failed: 1, skipped: 0 };
  const outside = { counts: { ...counts, failed: 2 }, failed: ['a.test.ts: is right'] };
  const random = { counts, failed: ['a.test.ts: is right: Error: Property failed after 3 tests'] };
  const chances = [
    'kill-import.test.ts: loses nothing',
    'a.test.ts: is whole after 10 processes were killed',
  ];
  const byChance = [...chances, 'outage.live.test.ts: hangs', 'a.test.ts: random rows are read again'].map(
    (line) => ({ counts, failed: [line] }),
  );
  for (const first of [many, crashed, outside, random, ...byChance])
    expect(await withSecondTry(first, repeat)).toEqual({ ...first, unstable: [] });
});

test('the total is the sum of both', () => {
  const a = { passed: 1, failed: 2, skipped: 3 };
  expect(sum([a, a])).toEqual({ passed: 2, failed: 4, skipped: 6 });
});
