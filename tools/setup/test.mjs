/**
 * `npm test`: checks, unit tests and browser tests; the last line is their total. `npm run test:full` runs the same with
 * floods, kills and fuzzing at full size, measures the line coverage of the unit tests, and tries the release of this machine.
 * CI runs `npm test -- --result <file>` and then `npm run test:full -- --after <file>`. The second run leaves out the checks,
 * the coverage and the tests that are the same at both sizes, and prints the total of both.
 */
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBrowser } from './browser.mjs';
import { environment, runQuietly, startNode } from './children.mjs';
import { buildConsole } from './console-build.mjs';
import { startRun } from './leftovers.mjs';
import { prepare } from './prepare.mjs';
import { command, root, SetupError, say, secondsSince } from './project.mjs';
import { sizedTests } from './sized-tests.mjs';
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
const {
  values: { full: isFull = false, result: resultFile, after: earlierFile },
} = parseArgs({
  options: { full: { type: 'boolean' }, result: { type: 'string' }, after: { type: 'string' } },
});
/** The tests to run; those that are the same at both sizes ran before. */
const sized = earlierFile === undefined ? undefined : sizedTests();
const success = { passed: 1, failed: 0, skipped: 0 };
const failure = { passed: 0, failed: 1, skipped: 0 };
const nothing = { passed: 0, failed: 0, skipped: 0 };

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

/** The names of tests that measure what others wait for: they run when all else is done, because they need the processors. */
const isQuiet = /\.quiet\.test\.ts$/;

/**
 * @param {string} node
 * @param {string} folder
 * @param {Record<string, string>} env
 * @param {'quiet' | '!quiet'} project
 */
async function unitTests(node, folder, env, project) {
  /**
   * @param {string} name
   * @param {string[]} args
   */
  const tested = async (name, args) => {
    const [file, errors] = [join(folder, `${name}.json`), join(folder, `${name}.errors`)];
    const reporters = ['default', 'json', join(root, 'tools', 'setup', 'error-count.mjs')];
    const reporting = [...reporters.map((one) => `--reporter=${one}`), `--outputFile.json=${file}`];
    const withFile = { env: { ...env, KAPTAIN_TEST_ERROR_COUNT: errors } };
    const all = [vitest, 'run', `--project=${project}`, ...reporting, ...args];
    const code = await run(node, all, withFile);
    // One that has crashed wrote nothing.
    return { counts: fromVitest(code, report(file), report(errors) ?? 1), report: report(file) };
  };
  const coverage = isFull && project === '!quiet' ? ['--coverage'] : [];
  // The checks have run it.
  const all = [...coverage, '--exclude', 'tools/architecture.test.ts'];
  const chosen = sized?.filter(
    (file) => !file.startsWith('e2e/') && isQuiet.test(file) === (project === 'quiet'),
  );
  const name = project === 'quiet' ? 'vitest-quiet' : 'vitest';
  const first = await tested(name, chosen ?? all);
  const repeat = async () => (await tested(`${name}-again`, failedFiles(first.report))).counts;
  return { counts: first.counts, failed: failedTests(first.report), repeat };
}

/**
 * @param {string} node
 * @param {string} folder
 * @param {Record<string, string>} env
 */
async function checksAndUnitTests(node, folder, env) {
  const checked = sized ? undefined : await run(node, [join('tools', 'check.ts')]);
  const checks = checked === undefined ? nothing : checked === 0 ? success : failure;
  return { checks, unit: await unitTests(node, folder, env, '!quiet') };
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
  const stories = sized?.filter((name) => name.startsWith('e2e/')).map((name) => name.slice('e2e/'.length));
  const chosen = stories ? ['--grep', ['@full', ...stories].join('|')] : [];
  if (await ensureBrowser(node)) {
    const code = await run(node, [...playwright, ...chosen, '--reporter=list,json'], {
      env: withReport,
      log,
    });
    const repeat = async () => {
      const again = await run(node, [...playwright, ...chosen, '--last-failed', '--reporter=list,json'], {
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
  await runQuietly(node, [...playwright, ...chosen, '--list', '--reporter=json'], {
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
    return [{ ...nothing, skipped: 2 }];
  }
  const release = join('tools', 'release');
  const into = join(folder, 'release');
  const target = `linux-${process.arch}`;
  if ((await run(node, [join(release, 'release.ts'), target, '--into', into], { env })) !== 0)
    return [failure];
  const tries = ['smoke.ts'];
  // A container in which the tests run may not be allowed to start others.
  const hasRunc = (await runQuietly('runc', ['--version'])).code === 0 && process.getuid?.() === 0;
  const mayIsolate = (await runQuietly('unshare', ['--mount', '--pid', '--fork', 'true'])).code === 0;
  if (hasRunc && mayIsolate) tries.push('image.ts');
  else say('\n*** NO RUNC, not root, or no right to start containers: the image was not tried. ***');
  const counts = [];
  for (const script of tries) {
    const code = await run(node, [join(release, 'smoke', script), '--from', into], { env });
    counts.push(code === 0 ? success : failure);
  }
  return tries.length === 2 ? counts : [...counts, { ...nothing, skipped: 1 }];
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
 * Only in CI, which must not refuse a change because of a test that is unstable without it; a run by hand shows each failure.
 * @param {{ counts: typeof success, failed: string[], repeat: () => Promise<typeof success> }} first
 */
const triedAgain = async (first) => (inCi ? withSecondTry(first, first.repeat) : { ...first, unstable: [] });

/** @param {ReturnType<typeof startRun>} tests */
async function nothingLeft(tests) {
  const left = await tests.leftovers();
  if (left.length === 0) return success;
  say(`\nThe tests left something behind, which is removed now:\n${left.join('\n')}`);
  return failure;
}

/** @param {typeof success} counts */
const line = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;

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
    const quiet = await unitTests(node, folder, env, 'quiet');
    const released = isFull ? await releaseTests(node, folder, env) : [];
    const tried = [await triedAgain(unit), await triedAgain(quiet), await triedAgain(browser)];
    const unstable = tried.flatMap((one) => one.unstable);
    const left = await nothingLeft(tests);
    // A test that has timed out leaves its processes behind; it was repeated.
    const withoutLeft = [checks, ...tried.map((one) => one.counts), fuzzed.counts, ...released];
    const all = unstable.length === 0 ? [...withoutLeft, left] : withoutLeft;
    const counts = sum(all);
    say(`\nEverything took ${secondsSince(began)}, ${secondsSince(since)} of it after the installation.`);
    // Printed again at the end, where the reader of a long output looks first.
    const failures = tried.flatMap((one) => one.failed);
    if (resultFile !== undefined) writeFileSync(resultFile, JSON.stringify({ counts, unstable }));
    const earlier = earlierFile === undefined ? { counts: nothing, unstable: [] } : report(earlierFile);
    const shaky = [...earlier.unstable, ...unstable];
    if (shaky.length > 0) say(`*** UNSTABLE, passed only when repeated alone: ***\n${shaky.join('\n')}`);
    if (failures.length > 0) say(`Failed:\n${failures.join('\n')}`);
    if (earlierFile !== undefined)
      say(`${line(earlier.counts)} at the usual size, ${line(counts)} at full size`);
    const total = sum([earlier.counts, counts]);
    say(line(total));
    return total.failed === 0 && counts.passed > 0 ? 0 : 1;
  } finally {
    await tests.leftovers();
    rmSync(folder, { recursive: true, force: true });
  }
});
