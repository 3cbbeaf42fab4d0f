/**
 * `npm test`: checks, unit tests and browser tests; the last line is their total. `npm run test:full` runs the same with
 * floods, kills and fuzzing at full size, measures the line coverage of the unit tests, and tries the release of this machine.
 */
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { environment, runQuietly, startNode } from './children.mjs';
import { buildConsole } from './console-build.mjs';
import { startRun } from './leftovers.mjs';
import { prepare } from './prepare.mjs';
import { command, root, SetupError, say, secondsSince } from './project.mjs';
import {
  failedFiles,
  failedStories,
  failedTests,
  fromPlaywright,
  fromVitest,
  sum,
  withSecondTry,
} from './test-counts.mjs';

const vitest = join('node_modules', 'vitest', 'vitest.mjs');
const playwright = [join('node_modules', '@playwright', 'test', 'cli.js'), 'test'];
const inCi = process.env.CI === 'true';
const isFull = process.argv.includes('--full');
const success = { passed: 1, failed: 0, skipped: 0 };
const failure = { passed: 0, failed: 1, skipped: 0 };

/**
 * @param {string} node
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, log?: string }} [options] with `log` its output goes to that file
 */
async function run(node, args, { env = {}, log } = {}) {
  const output = log === undefined ? undefined : openSync(log, 'w');
  const stdio = output === undefined ? undefined : /** @type {const} */ (['ignore', output, output]);
  const { ended } = startNode(node, args, { env, ...(stdio && { stdio: [...stdio] }) });
  if (output !== undefined) closeSync(output);
  return ended;
}

/** @param {string} file */
const report = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);

/**
 * @param {string} node
 * @param {string} folder
 * @param {Record<string, string>} env
 */
async function unitTests(node, folder, env) {
  /**
   * @param {string} name
   * @param {string[]} args
   */
  const tested = async (name, args) => {
    const [file, errors] = [join(folder, `${name}.json`), join(folder, `${name}.errors`)];
    const reporters = ['default', 'json', join(root, 'tools', 'setup', 'error-count.mjs')];
    const reporting = [...reporters.map((one) => `--reporter=${one}`), `--outputFile.json=${file}`];
    const withFile = { env: { ...env, KAPTAIN_ERROR_COUNT: errors } };
    const code = await run(node, [vitest, 'run', ...reporting, ...args], withFile);
    // One that has crashed wrote nothing.
    return { counts: fromVitest(code, report(file), report(errors) ?? 1), report: report(file) };
  };
  const coverage = isFull ? ['--coverage'] : [];
  // The checks have run it.
  const first = await tested('vitest', [...coverage, '--exclude', 'tools/architecture.test.ts']);
  const repeat = async () => (await tested('vitest-again', failedFiles(first.report))).counts;
  return { counts: first.counts, failed: failedTests(first.report), repeat };
}

/**
 * @param {string} node
 * @param {string} folder
 * @param {Record<string, string>} env
 */
async function checksAndUnitTests(node, folder, env) {
  const checked = await run(node, [join('tools', 'check.ts')]);
  return { checks: checked === 0 ? success : failure, unit: await unitTests(node, folder, env) };
}

/**
 * Runs beside the checks and the unit tests, which do not keep all cores busy; its output is printed when they are done.
 * @param {string} node
 * @param {string} folder
 * @param {Record<string, string>} env
 */
async function browserTests(node, folder, env) {
  const none = { failed: [], repeat: async () => failure };
  if (!(await consoleBuilt(node))) return { ...none, counts: failure, printed: '' };
  const file = join(folder, 'playwright.json');
  const withReport = { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const log = join(folder, 'playwright.log');
  if (await ensureBrowser(node)) {
    const code = await run(node, [...playwright, '--reporter=list,json'], { env: withReport, log });
    const repeat = async () => {
      const again = await run(node, [...playwright, '--last-failed', '--reporter=list,json'], {
        env: withReport,
      });
      return fromPlaywright(again, report(file));
    };
    const first = report(file);
    const printed = readFileSync(log, 'utf8');
    return { counts: fromPlaywright(code, first), failed: failedStories(first), repeat, printed };
  }
  const printed =
    '\n*** NO CHROMIUM: the browser tests did not run. Install Chromium or set CHROMIUM_PATH to it. ***\n';
  if (inCi) return { ...none, counts: failure, printed };
  await runQuietly(node, [...playwright, '--list', '--reporter=json'], {
    env: environment(node, withReport),
  });
  return { ...none, counts: fromPlaywright(0, report(file)), printed };
}

/**
 * Fuzzes the QVD reader with new inputs for 5 seconds; `npm run fuzz:qvd` runs longer. Its output is printed when the unit
 * tests are done.
 * @param {string} node
 * @param {string} folder
 * @param {Record<string, string>} env
 */
async function fuzz(node, folder, env) {
  const log = join(folder, 'fuzz.log');
  const args = [join('packages', 'qvd', 'fuzz', 'fuzz.ts'), `--seconds=${isFull ? 600 : 5}`];
  const code = await run(node, args, { env, log });
  return { counts: code === 0 ? success : failure, printed: readFileSync(log, 'utf8') };
}

/**
 * Builds the release of this machine and tries it: the archive without clone and npm, the image under runc. They run when
 * all else is done, because stopping under load needs the processors.
 * @param {string} node
 * @param {string} folder
 * @param {Record<string, string>} env
 */
async function releaseTests(node, folder, env) {
  if (process.platform !== 'linux') {
    say('\n*** NO LINUX: the release was not tried. ***');
    return [{ passed: 0, failed: 0, skipped: 2 }];
  }
  const release = join('tools', 'release');
  const into = join(folder, 'release');
  const target = `linux-${process.arch}`;
  if ((await run(node, [join(release, 'release.ts'), target, '--into', into], { env })) !== 0)
    return [failure];
  const tries = ['smoke.ts'];
  const hasRunc = (await runQuietly('runc', ['--version'])).code === 0 && process.getuid?.() === 0;
  if (hasRunc) tries.push('image.ts');
  else say('\n*** NO RUNC (or not root): the image was not tried. ***');
  const counts = [];
  for (const script of tries) {
    const code = await run(node, [join(release, 'smoke', script), '--from', into], { env });
    counts.push(code === 0 ? success : failure);
  }
  if (!hasRunc) counts.push(inCi ? failure : { passed: 0, failed: 0, skipped: 1 });
  return counts;
}

/** @param {string} node */
async function consoleBuilt(node) {
  try {
    await buildConsole(node);
    return true;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(`\n${error.message}\n`);
    return false;
  }
}

/**
 * Only in CI, which must not refuse a change for another one's test; whoever runs the tests by hand, or at full size, sees
 * at once what fails.
 * @param {{ counts: typeof success, failed: string[], repeat: () => Promise<typeof success> }} first
 */
const triedAgain = async (first) =>
  inCi && !isFull ? withSecondTry(first, first.repeat) : { ...first, unstable: [] };

/** @param {ReturnType<typeof startRun>} tests */
async function nothingLeft(tests) {
  const left = await tests.leftovers();
  if (left.length === 0) return success;
  say(`\nThe tests left something behind, which is removed now:\n${left.join('\n')}`);
  return failure;
}

await command(async () => {
  const began = performance.now();
  const node = await prepare('all');
  const since = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'kaptain-test-'));
  const tests = startRun();
  const env = { ...tests.env, ...(isFull && { KAPTAIN_TEST_FULL: '1' }) };
  try {
    const [{ checks, unit }, fuzzed, browser] = await Promise.all([
      checksAndUnitTests(node, folder, env),
      fuzz(node, folder, env),
      browserTests(node, folder, env),
    ]);
    say(`${fuzzed.printed}\n${browser.printed}`);
    const released = isFull ? await releaseTests(node, folder, env) : [];
    const tried = [await triedAgain(unit), await triedAgain(browser)];
    const counts = tried.map((one) => one.counts);
    const unstable = tried.flatMap((one) => one.unstable);
    const left = await nothingLeft(tests);
    // A test that has timed out leaves its processes behind; it was repeated.
    const all = [checks, ...counts, fuzzed.counts, ...released, ...(unstable.length === 0 ? [left] : [])];
    const { passed, failed, skipped } = sum(all);
    say(`\nEverything took ${secondsSince(began)}, ${secondsSince(since)} of it after the installation.`);
    // Again at the end, where whoever reads a long output looks first.
    const failures = tried.flatMap((one) => one.failed);
    if (unstable.length > 0) say(`UNSTABLE, passed only when repeated alone:\n${unstable.join('\n')}`);
    if (failures.length > 0) say(`Failed:\n${failures.join('\n')}`);
    say(`${passed} passed, ${failed} failed, ${skipped} skipped`);
    return failed === 0 && passed > 0 ? 0 : 1;
  } finally {
    await tests.leftovers();
    rmSync(folder, { recursive: true, force: true });
  }
});
