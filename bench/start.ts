import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../tools/setup/project.mjs';
import { newFolder, removeFolder } from './kit/folders.ts';
import { roundsOr } from './kit/options.ts';
import { endSection, figure } from './kit/report.ts';
import { median } from './kit/times.ts';

/* The time from `npm start` until the service is ready, when everything is installed and built. */
const GOAL_MS = 2000;
const ROUNDS = roundsOr(5);

const dataDir = newFolder();

function start(): Promise<number> {
  const since = performance.now();
  const child = spawn(process.execPath, [join(root, 'tools', 'setup', 'start.mjs')], {
    cwd: root,
    env: { ...process.env, KAPTAIN_DATA_DIR: dataDir, KAPTAIN_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let output = '';
    let took = Number.NaN;
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (Number.isNaN(took) && output.includes('is ready on')) {
        took = performance.now() - since;
        child.kill();
      }
    });
    child.once('exit', () => (Number.isNaN(took) ? reject(new Error(output)) : resolve(took)));
  });
}

// The first start may install, build and fill caches.
await start();
const times: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) times.push(await start());
removeFolder(dataDir);
figure('from `npm start` until it is ready', median(times), {
  atMost: GOAL_MS,
  unit: ' ms',
  details: `${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))} ms`,
});
endSection(['Start']);
