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
 * @returns {Counts}
 */
export function fromVitest(code, report) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
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
    if (status === 'failed' && failed.length === 0) return [`${name}: ${firstLine(message)}`];
    return failed.map((test) => `${name}: ${test.fullName}: ${firstLine(test.failureMessages?.[0] ?? '')}`);
  });
}

/** @param {string} text */
const firstLine = (text) => text.slice(0, text.search(/\n|$/));

/**
 * @param {number} code
 * @param {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number } } | undefined} report
 * @returns {Counts}
 */
export function fromPlaywright(code, report) {
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = report?.stats ?? {};
  return withExitCode(code, { passed: expected, failed: unexpected + flaky, skipped });
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
