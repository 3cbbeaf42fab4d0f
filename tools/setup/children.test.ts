import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { inTurn } from '../test-size.ts';
import { environment, runQuietly } from './children.mjs';
import { root } from './project.mjs';

test('a nested script that calls node gets the chosen Node', async () => {
  const script = `console.log(require('node:child_process').execSync('node -p process.execPath', { encoding: 'utf8' }))`;
  const { output } = await runQuietly(process.execPath, ['-e', script], {
    env: environment(process.execPath),
  });
  expect(output.trim()).toBe(process.execPath);
});

test('threads use the compile cache too', async () => {
  const thread = `require('node:worker_threads').parentPort.postMessage(require('node:module').getCompileCacheDir())`;
  const script = `new (require('node:worker_threads').Worker)(${JSON.stringify(thread)}, { eval: true }).on('message', console.log)`;
  // The tests have no such cache while their coverage is measured.
  const { NODE_DISABLE_COMPILE_CACHE: _, ...env } = environment(process.execPath);
  const { output } = await runQuietly(process.execPath, ['-e', script], { env });
  expect(env['NODE_COMPILE_CACHE']).toBeTruthy();
  expect(output).toContain(env['NODE_COMPILE_CACHE']);
});

test('a program that does not exist is a failure, not a crash', async () => {
  expect(await runQuietly(join(root, 'no-such-program'), [])).toMatchObject({ code: 1 });
});

describe.runIf(process.platform !== 'win32')('a child stops gracefully', () => {
  const child = (signal: string) => `
    process.on('${signal}', () => setTimeout(() => { console.log('goodbye'); process.exit(7); }, 50));
    setInterval(() => {}, 1000);
    console.log('ready');`;
  const parent = (signal: string) => `
    import { startNode } from ${JSON.stringify(pathToFileURL(join(root, 'tools/setup/children.mjs')))};
    const { ended } = startNode(process.execPath, ['-e', ${JSON.stringify(child(signal))}]);
    process.exitCode = await ended;`;

  /** Sends the signal as soon as the innermost program is ready; returns the output of all. */
  async function run(script: string, signal: NodeJS.Signals, env = process.env) {
    const args = ['--input-type=module', '-e', script];
    const started = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    started.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (chunk.includes('ready')) started.kill(signal);
    });
    const [code]: unknown[] = await once(started, 'close');
    return { code, output };
  }

  test.each(inTurn(['SIGTERM', 'SIGINT', 'SIGHUP'] as const, 0, 3))(
    'on %s, and gives its exit code',
    async (signal) => {
      expect(await run(parent(signal), signal)).toEqual({ code: 7, output: 'ready\ngoodbye\n' });
    },
  );

  test('when npm is killed and no signal is forwarded', async () => {
    const npm = `
      import { spawn } from 'node:child_process';
      const args = ['--input-type=module', '-e', ${JSON.stringify(parent('SIGTERM'))}];
      spawn(process.execPath, args, { stdio: 'inherit' });`;
    const env = { ...process.env, npm_lifecycle_event: 'start' };
    expect((await run(npm, 'SIGKILL', env)).output).toBe('ready\ngoodbye\n');
  });
});
