/** `npm run demo`: runs Kaptain with realistic data in a temporary folder. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { demoLogins } from '../demo/login.mjs';
import { PLATFORM_FILE, SHEET_FILE } from '../demo/platform-file.mjs';
import { environment, lastLines, runQuietly, startNode } from './children.mjs';
import { prepareWithConsole } from './prepare.mjs';
import { command, SetupError, say, secondsSince } from './project.mjs';

/**
 * @param {string} node
 * @param {string} folder
 */
async function fill(node, folder) {
  say('Filling a temporary folder with demo data …');
  const since = performance.now();
  const args = [join('tools', 'demo', 'fill.ts'), folder];
  const { code, output } = await runQuietly(node, args, { env: environment(node) });
  if (code !== 0) throw new SetupError(`The demo data could not be written:\n\n${lastLines(output)}`);
  say(`Demo data written (${secondsSince(since)}).`);
}

/**
 * Starts the simulated platform and waits until it has written its settings.
 * @param {string} node
 * @param {string} folder
 */
async function simulatePlatform(node, folder) {
  const platform = startNode(node, [join('tools', 'demo', 'platform.ts'), folder]);
  for (let waited = 0; waited < 20_000 && platform.child.exitCode === null; waited += 50) {
    if (existsSync(join(folder, PLATFORM_FILE))) {
      say('A platform SIMULATOR runs beside the demo: reloads are simulated, no Qlik server is needed.');
      return platform;
    }
    await sleep(50);
  }
  platform.child.kill();
  throw new SetupError('The platform simulator could not be started.');
}

await command(async () => {
  const node = await prepareWithConsole('service');
  const folder = mkdtempSync(join(tmpdir(), 'kaptain-demo-'));
  let isAskedToStop = false;
  process.on('SIGINT', () => (isAskedToStop = true)).on('SIGTERM', () => (isAskedToStop = true));
  /** @type {Awaited<ReturnType<typeof simulatePlatform>> | undefined} */
  let platform;
  try {
    platform = await simulatePlatform(node, folder);
    await fill(node, folder);
    if (isAskedToStop) return 0;
    for (const { username, password, role } of demoLogins) {
      say(`Log in as ${username} with the password ${password} (${role}).`);
    }
    say(`A sheet with the extension on simulated data: ${readFileSync(join(folder, SHEET_FILE), 'utf8')}`);
    const service = startNode(node, [join('apps', 'service', 'src', 'main.ts')], {
      env: { KAPTAIN_DATA_DIR: folder },
    });
    return await service.ended;
  } finally {
    platform?.child.kill();
    await platform?.ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
});
