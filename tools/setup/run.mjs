import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { startNode } from './children.mjs';
import { startRun } from './leftovers.mjs';
import { prepare, prepareWithConsole } from './prepare.mjs';
import { command, SetupError, tell } from './project.mjs';

/** @type {Record<string, { script: string[], needs: 'service' | 'all' | 'console' | 'browser' }>} */
const tasks = {
  vitest: { script: [join('node_modules', 'vitest', 'vitest.mjs')], needs: 'all' },
  e2e: { script: [join('node_modules', '@playwright', 'test', 'cli.js'), 'test'], needs: 'browser' },
  'test:live': { script: [join('tools', 'test-live.ts')], needs: 'all' },
  check: { script: [join('tools', 'check.ts')], needs: 'all' },
  kaptain: { script: [join('apps', 'service', 'src', 'kaptain.ts')], needs: 'service' },
  'platform-sim': { script: [join('tools', 'platform-simulator', 'main.ts')], needs: 'service' },
  qvd: { script: [join('packages', 'qvd', 'src', 'cli.ts')], needs: 'service' },
  'fuzz:qvd': { script: [join('packages', 'qvd', 'fuzz', 'fuzz.ts'), '--seconds=600'], needs: 'all' },
  'fuzz:http': { script: [join('tools', 'fuzz-http', 'fuzz.ts')], needs: 'all' },
  'build:client': { script: [join('tools', 'client', 'build-client.ts')], needs: 'all' },
  'build:extension': { script: [join('tools', 'extension', 'build-extension.ts')], needs: 'all' },
  generate: { script: [join('tools', 'generate.ts')], needs: 'all' },
  bench: { script: [join('tools', 'bench.ts')], needs: 'console' },
  release: { script: [join('tools', 'release', 'release.ts')], needs: 'all' },
  'release:data': { script: [join('tools', 'released-data', 'make.ts')], needs: 'all' },
  'release:smoke': { script: [join('tools', 'release', 'smoke', 'smoke.ts')], needs: 'all' },
  'release:smoke:image': { script: [join('tools', 'release', 'smoke', 'image.ts')], needs: 'all' },
  'release:smoke:windows': { script: [join('tools', 'release', 'smoke', 'windows.ts')], needs: 'all' },
  screenshots: { script: [join('tools', 'screenshots', 'take.ts')], needs: 'browser' },
};

await command(async () => {
  const [name = '', ...args] = process.argv.slice(2);
  const task = tasks[name];
  if (!task) {
    throw new SetupError(`There is no task "${name}". Choose one of: ${Object.keys(tasks).join(', ')}.`);
  }
  const { needs } = task;
  const node = await (needs === 'service' || needs === 'all' ? prepare(needs) : prepareWithConsole('all'));
  if (needs === 'browser' && !(await ensureBrowser(node))) {
    throw new SetupError('No Chromium was found. Install Chromium or Chrome, or set CHROMIUM_PATH to it.');
  }
  const run = name === 'vitest' ? startRun() : undefined;
  const { ended } = startNode(node, [...task.script, ...args], { env: run?.env ?? {} });
  const code = await ended;
  const left = (await run?.leftovers()) ?? [];
  for (const line of left) tell(`Left behind by the tests and removed now: ${line}`);
  return left.length > 0 ? 1 : code;
});
