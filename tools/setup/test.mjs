/** `npm test`: checks, unit tests and browser tests; the last line is their total. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { environment, forwardSignals, runQuietly, startNode } from './children.mjs';
import { buildConsole } from './console-build.mjs';
import { prepare } from './prepare.mjs';
import { command, SetupError, say, secondsSince } from './project.mjs';
import { fromPlaywright, fromVitest, sum } from './test-counts.mjs';

const vitest = join('node_modules', 'vitest', 'vitest.mjs');
const playwright = [join('node_modules', '@playwright', 'test', 'cli.js'), 'test'];
const inCi = process.env.CI === 'true';
/** @type {import('node:child_process').ChildProcess[]} */
const running = [];

/**
 * @param {string} node
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
async function run(node, args, env = {}) {
  const { child, ended } = startNode(node, args, { env });
  running.push(child);
  return ended;
}

/** @param {string} file */
const report = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);

/**
 * @param {string} node
 * @param {string} file
 */
async function unitTests(node, file) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  // One worker more than cores, because many tests wait for other processes.
  const workers = `--maxWorkers=${availableParallelism() + 1}`;
  return fromVitest(await run(node, [vitest, 'run', workers, ...reporters]), report(file));
}

/**
 * @param {string} node
 * @param {string} file
 */
async function browserTests(node, file) {
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  if (await ensureBrowser(node)) {
    return fromPlaywright(await run(node, [...playwright, '--reporter=list,json'], env), report(file));
  }
  say('\n*** NO CHROMIUM: the browser tests did not run. Install Chromium or set CHROMIUM_PATH to it. ***\n');
  if (inCi) return { passed: 0, failed: 1, skipped: 0 };
  await runQuietly(node, [...playwright, '--list', '--reporter=json'], { env: environment(node, env) });
  return fromPlaywright(0, report(file));
}

/**
 * Fuzzes the QVD reader with new inputs for 15 seconds; `npm run fuzz:qvd` runs longer.
 * @param {string} node
 */
async function fuzz(node) {
  const code = await run(node, [join('packages', 'qvd', 'fuzz', 'fuzz.ts'), '--seconds=15']);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
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

await command(async () => {
  const since = performance.now();
  const node = await prepare('all');
  forwardSignals(running);
  const reports = mkdtempSync(join(tmpdir(), 'kaptain-test-'));
  try {
    const counts = [];
    const failure = { passed: 0, failed: 1, skipped: 0 };
    if ((await run(node, [join('tools', 'check.ts')])) !== 0) counts.push(failure);
    const built = await consoleBuilt(node);
    counts.push(await unitTests(node, join(reports, 'vitest.json')));
    counts.push(await fuzz(node));
    counts.push(built ? await browserTests(node, join(reports, 'playwright.json')) : failure);
    const { passed, failed, skipped } = sum(counts);
    say(`\nEverything took ${secondsSince(since)}.`);
    say(`${passed} passed, ${failed} failed, ${skipped} skipped`);
    return failed === 0 && passed > 0 ? 0 : 1;
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
});
