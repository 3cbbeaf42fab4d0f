import { relative } from 'node:path';
import { root } from './project.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * Counts a run with a non-zero exit code as at least one failure: it may have crashed before writing its report.
 * @param {number} code
 * @param {Counts} counts
 * @returns {Counts}
 */
function withExitCode(code, counts) {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/**
 * @param {number} code
 * @param {{ testResults: { status: string, assertionResults: { status: string }[] }[] } | undefined} report
 * @param {number} [otherErrors] errors outside of tests
 * @returns {Counts}
 */
export function fromVitest(code, report, otherErrors = 0) {
  const counts = { passed: 0, failed: otherErrors, skipped: 0 };
  for (const { status, assertionResults } of report?.testResults ?? []) {
    // A file that can't be loaded has no tests, but counts as a failure.
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) counts.failed += 1;
    for (const test of assertionResults) {
      if (test.status === 'passed' || test.status === 'failed') counts[test.status] += 1;
      else counts.skipped += 1;
    }
  }
  return withExitCode(code, counts);
}

/**
 * A line for each failed test, and for each file that can't be loaded.
 * @param {{ testResults: { name: string, status: string, message?: string, assertionResults: { status: string,
 *   fullName: string, failureMessages?: string[] | null }[] }[] } | undefined} report
 */
export function failedTests(report) {
  return (report?.testResults ?? []).flatMap(({ name, status, message = '', assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    const file = relative(root, name);
    if (status === 'failed' && failed.length === 0) return [`${file}: ${firstLine(message)}`];
    return failed.map((test) => `${file}: ${test.fullName}: ${firstLine(test.failureMessages?.[0] ?? '')}`);
  });
}

/**
 * @param {{ testResults: { name: string, status: string }[] } | undefined} report
 */
export const failedFiles = (report) =>
  (report?.testResults ?? []).filter(({ status }) => status === 'failed').map(({ name }) => name);

/** @param {string} text */
const firstLine = (text) => text.slice(0, text.search(/\n|$/));

/**
 * @param {number} code
 * @param {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number }, errors?: unknown[] } |
 *   undefined} report with the errors outside of tests
 * @returns {Counts}
 */
export function fromPlaywright(code, report) {
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = report?.stats ?? {};
  const failed = unexpected + flaky + (report?.errors?.length ?? 0);
  return withExitCode(code, { passed: expected, failed, skipped });
}

/**
 * @typedef {{ file: string, specs?: { title: string, ok: boolean }[], suites?: Suite[] }} Suite
 * @param {{ suites?: Suite[] } | undefined} report
 * @returns {string[]} a line for each failed browser test
 */
export function failedStories(report) {
  return (report?.suites ?? []).flatMap(({ file, specs = [], suites = [] }) => [
    ...specs.filter(({ ok }) => !ok).map(({ title }) => `e2e/${file}: ${title}`),
    ...failedStories({ suites }),
  ]);
}

/** More failures than this are no accident; a machine ten times slower had seven. */
const MOST_UNSTABLE = 12;

/**
 * Tests with random values or kills are not repeated, because the second try would not meet what the first one found by
 * chance. Such a test has one of these words in its name, or in that of its file.
 */
const byChance = /Property failed|\b(random|kill|crash|outage|failover)/i;

/**
 * A test that fails and passes when it is repeated alone is unstable: it must be repaired, but rarely says anything against
 * the change under test. `repeat` runs again what has failed. Errors outside of tests are counted, but have no line: with one of
 * them nothing is repeated.
 * @param {{ counts: Counts, failed: string[] }} first
 * @param {() => Promise<Counts>} repeat
 * @returns {Promise<{ counts: Counts, failed: string[], unstable: string[] }>}
 */
export async function withSecondTry({ counts, failed }, repeat) {
  const isFew = failed.length > 0 && failed.length <= MOST_UNSTABLE && counts.failed === failed.length;
  const again = isFew && !failed.some((line) => byChance.test(line)) ? await repeat() : undefined;
  if (!again || again.failed > 0 || again.passed < failed.length) return { counts, failed, unstable: [] };
  return {
    counts: { ...counts, passed: counts.passed + counts.failed, failed: 0 },
    failed: [],
    unstable: failed,
  };
}

/**
 * @param {Counts[]} all
 * @returns {Counts}
 */
export function sum(all) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of all) {
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
  }
  return total;
}
