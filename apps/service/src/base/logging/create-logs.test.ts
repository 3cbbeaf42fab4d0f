import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { createLogs, logFileName } from './create-logs.ts';

async function written(
  write: (logs: ReturnType<typeof createLogs>) => void,
): Promise<Record<string, string>> {
  using folder = temporaryFolder();
  const logs = createLogs({ folder: folder.path, level: 'info' });
  write(logs);
  await logs.close();
  return Object.fromEntries(
    readdirSync(folder.path).map((name) => [name, readFileSync(join(folder.path, name), 'utf8')]),
  );
}

it('separates the operation of the service from the actions of users', async () => {
  const files = await written((logs) => {
    logs.system.info({}, 'started');
    logs.app.info({ user: 'vera' }, 'logged in');
    logs.app.debug({}, 'too quiet');
  });
  expect(Object.keys(files).toSorted()).toEqual(['app-current.log', 'system-current.log']);
  expect(JSON.parse(files['system-current.log'] ?? '')).toMatchObject({ level: 'info', msg: 'started' });
  expect(JSON.parse(files['app-current.log'] ?? '')).toMatchObject({ user: 'vera', msg: 'logged in' });
});

it('writes one line per entry, bounded and without secrets, for any values', async () => {
  const files = await written(({ app }) => {
    app.info({ user: 'a\n{"level":"info","msg":"forged"}\r\u001b[31m', long: 'x'.repeat(10_000) }, 'first');
    app.info(
      {
        accessToken: 't0p',
        'x-api-key': 'k3y',
        nested: { password: 's3cret', deep: { ticket: 'tick' } },
        err: new Error('why'),
      },
      'second',
    );
  });
  const text = files['app-current.log'] ?? '';
  const lines = text.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect((JSON.parse(lines[0] ?? '') as { long: string }).long).toHaveLength(257);
  for (const unwanted of ['t0p', 'k3y', 's3cret', 'tick"', '\u001b']) expect(text).not.toContain(unwanted);
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({
    err: { message: 'why', stack: expect.stringContaining('Error: why') },
  });
});

it('writes each line soon, whether others follow or not', async () => {
  using folder = temporaryFolder();
  const logs = createLogs({ folder: folder.path, level: 'info' });
  const lines = () => readFileSync(join(folder.path, 'system-current.log'), 'utf8').split('\n').length - 1;
  for (const count of [1, 2, 3]) {
    logs.system.info({ count }, 'one more');
    await vi.waitFor(() => expect(lines()).toBe(count), { interval: 10 });
  }
  await logs.close();
});

it('begins a new file when one is full, and does not list its history file', async () => {
  using folder = temporaryFolder();
  const logs = createLogs({ folder: folder.path, level: 'info' });
  const value = 'x'.repeat(250);
  const line = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`field${index}`, value]));
  for (let count = 0; count < 1100; count++) logs.system.info(line, 'filling');
  await logs.close();
  const names = readdirSync(folder.path).filter((name) => !name.startsWith('.'));
  expect(names.toSorted()).toEqual([
    'app-current.log',
    expect.stringMatching(/^system-\d{4}-\d\d-\d\d-1\.log$/),
    'system-current.log',
  ]);
  const written = names.map((name) => readFileSync(join(folder.path, name), 'utf8')).join('');
  expect(written.trimEnd().split('\n')).toHaveLength(1100);
});

it('names files by kind, day and number', () => {
  const name = logFileName('system');
  expect([name(null), name(new Date(2026, 10, 5, 13, 0), 3)]).toEqual([
    'system-current.log',
    'system-2026-11-05-3.log',
  ]);
});
