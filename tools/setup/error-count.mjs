import { writeFileSync } from 'node:fs';

/** Vitest's JSON report leaves out the errors outside of tests; this reporter writes their number to a file. */
export default class ErrorCount {
  /**
   * @param {unknown} _modules
   * @param {readonly unknown[]} errors
   */
  onTestRunEnd(_modules, errors) {
    const file = process.env.KAPTAIN_TEST_ERROR_COUNT;
    if (file) writeFileSync(file, String(errors.length));
  }
}
