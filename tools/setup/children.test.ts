import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { environment, runQuietly } from './children.mjs';
import { root } from './project.mjs';

test('a nested script that says node gets the chosen one', async () => {
  const script = `console.log(require('node:child_process').execSync('node -p process.execPath', { encoding: 'utf8' }))`;
  const { output } = await runQuietly(process.execPath, ['-e', script], {
    env: environment(process.execPath),
  });
  expect(output.trim()).toBe(process.execPath);
});

test('a program that does not exist is a failure, not a crash', async () => {
  expect(await runQuietly(join(root, 'no-such-program'), [])).toMatchObject({ code: 1 });
});

test.runIf(process.platform !== 'win32').each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s reaches the child, which stops in its own time and gives its exit code',
  async (signal) => {
    const child = `process.on('${signal}', () => setTimeout(() => { console.log('goodbye'); process.exit(7); }, 50));
      setInterval(() => {}, 1000); console.log('ready');`;
    const parent = `import { forwardSignals, startNode } from ${JSON.stringify(pathToFileURL(join(root, 'tools/setup/children.mjs')))};
      const { child, ended } = startNode(process.execPath, ['-e', ${JSON.stringify(child)}]);
      forwardSignals([child]);
      process.exitCode = await ended;`;
    const started = spawn(process.execPath, ['--input-type=module', '-e', parent], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    started.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (chunk.includes('ready')) started.kill(signal);
    });
    expect(await once(started, 'close')).toEqual([7, null]);
    expect(output).toContain('goodbye');
  },
);
