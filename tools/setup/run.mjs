import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { forwardSignals, startNode } from './children.mjs';
import { prepare, prepareWithConsole } from './prepare.mjs';
import { command, SetupError } from './project.mjs';

/** @type {Record<string, { script: string[], needs: 'packages' | 'console' | 'browser' }>} */
const tasks = {
  vitest: { script: [join('node_modules', 'vitest', 'vitest.mjs')], needs: 'packages' },
  e2e: { script: [join('node_modules', '@playwright', 'test', 'cli.js'), 'test'], needs: 'browser' },
  'test:live': { script: [join('tools', 'test-live.ts')], needs: 'packages' },
  check: { script: [join('tools', 'check.ts')], needs: 'packages' },
  kaptain: { script: [join('apps', 'service', 'src', 'cli', 'kaptain.ts')], needs: 'packages' },
  'platform-sim': { script: [join('tools', 'platform-simulator', 'main.ts')], needs: 'packages' },
  qvd: { script: [join('packages', 'qvd', 'src', 'cli.ts')], needs: 'packages' },
  'fuzz:qvd': { script: [join('packages', 'qvd', 'fuzz', 'fuzz.ts'), '--seconds=600'], needs: 'packages' },
  'fuzz:http': { script: [join('apps', 'service', 'fuzz', 'fuzz.ts')], needs: 'packages' },
  generate: { script: [join('tools', 'generate.ts')], needs: 'packages' },
  bench: { script: [join('tools', 'bench.ts')], needs: 'console' },
  screenshots: { script: [join('tools', 'screenshots', 'take.ts')], needs: 'browser' },
};

await command(async () => {
  const [name = '', ...args] = process.argv.slice(2);
  const task = tasks[name];
  if (!task) {
    throw new SetupError(`There is no task "${name}". Choose one of: ${Object.keys(tasks).join(', ')}.`);
  }
  const node = await (task.needs === 'packages' ? prepare() : prepareWithConsole());
  if (task.needs === 'browser' && !(await ensureBrowser(node))) {
    throw new SetupError('No Chromium was found. Install Chromium or Chrome, or set CHROMIUM_PATH to it.');
  }
  const { child, ended } = startNode(node, [...task.script, ...args]);
  forwardSignals([child]);
  return ended;
});
