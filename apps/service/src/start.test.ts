import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { openEmbeddedStore } from '@kaptain/store';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError } from './config/config-error.ts';
import { nothingSaved } from './config/settings/generations.ts';
import { openSettings } from './config/settings.ts';
import { start } from './start.ts';
import { rawRequest } from './testing/raw-socket.ts';
import { main, startProcess } from './testing/service-process.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

async function failure(env: Record<string, string>): Promise<string> {
  using started = startProcess(env, main);
  expect(await started.ended).toBe(1);
  const lines = started.output().trimEnd().split('\n');
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}

/** A start that fails does not wait for the modules that it has begun to load; this file must not end before they are loaded. */
afterAll(() => import('./parts.ts'));

/** The sentence of a start that fails before anything is open, in this process. */
async function refusal(env: Record<string, string>): Promise<string> {
  const failed: unknown = await start({ KAPTAIN_PORT: '0', ...env }).then(
    () => new Error('It has started.'),
    (error: unknown) => error,
  );
  expect(failed).toBeInstanceOf(ConfigError);
  const { message } = failed as ConfigError;
  expect(message).not.toContain('\n');
  return message;
}

/** A script that prints the packages which a start of the service loads. */
const loadedPackages = join(import.meta.dirname, 'testing', 'loaded-packages.ts');

const urlIn = (output: string) => /http:\/\/localhost:\d+/.exec(output)?.[0] ?? '';

/** A folder that can not be written to, not even by root: a read-only file system of the kernel. */
function closedFolder(inside: string): string {
  if (process.getuid?.() === 0) return join('/proc', 'kaptain');
  const closed = join(inside, 'closed');
  mkdirSync(closed);
  chmodSync(closed, 0o500);
  return closed;
}

describe('the process', () => {
  it('prints one line, serves, and finishes what is in flight before a signal stops it; passwords are hashed at the decided cost', async () => {
    using folder = temporaryFolder();
    const data = join(folder.path, 'made', 'for', 'you');
    using started = startProcess({ KAPTAIN_DATA_DIR: data }, main);
    await started.spoke;
    expect(started.output()).toMatch(
      /^Kaptain \d+\.\d+\.\d+ is ready on http:\/\/localhost:\d+\. Open it in a browser to create the admin account\.\n$/,
    );
    const url = urlIn(started.output());
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'alive' });
    await fetch(`${url}/api/user/status`);
    const body = JSON.stringify({ username: 'admin', password: 'correct horse' });
    const head = [
      'POST /api/user/init HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
    ];
    const answer = await rawRequest(Number(new URL(url).port), `${head.join('\r\n')}\r\n\r\n`, (socket) => {
      // The service answers "100 Continue" when it has the headers: from then on the request is in flight.
      socket.once('data', () => {
        started.child.kill('SIGTERM');
        setTimeout(() => socket.write(body), 200);
      });
    });
    expect(answer.body).toContain('{"status":"initialized"}');
    expect(await started.ended).toBe(0);
    const log = readFileSync(join(data, 'logs', 'system-current.log'), 'utf8');
    expect(log).toMatch(/service started[\s\S]*\/api\/user\/status[\s\S]*service stopped/);
    expect(existsSync(join(data, 'kaptain.db-wal'))).toBe(false);
    const store = await openEmbeddedStore({ file: join(data, 'kaptain.db') });
    const [admin] = await store.users.all();
    await store.close();
    expect(admin?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
    // As the Windows service stops it.
    using again = startProcess({ KAPTAIN_DATA_DIR: data, KAPTAIN_STOP_WITH_STDIN: '1' });
    await again.spoke;
    expect(again.output()).toMatch(/is ready on http:\/\/localhost:\d+\n$/);
    again.child.stdin?.end();
    expect(await again.ended).toBe(0);
  });

  it('loads no package that only other settings need', async () => {
    using folder = temporaryFolder();
    using started = startProcess({ KAPTAIN_DATA_DIR: folder.path }, loadedPackages);
    expect(await started.ended).toBe(0);
    const loaded = JSON.parse(started.output()) as string[];
    expect(loaded).toContain('fastify');
    const unneeded =
      /^(mongodb|bson|pg|mysql2|mssql|oracledb|snowflake-sdk|enigma\.js|jose|openid-client|prom-client)$/;
    expect(loaded.filter((name) => unneeded.test(name))).toEqual([]);
  });
});

describe('an unexpected failure', () => {
  it('is logged, another worker takes over the port, and the settings stay applied', async () => {
    using folder = temporaryFolder();
    const sign = join(folder.path, 'boom-');
    const bomb = `import { existsSync } from 'node:fs';
      import { isMainThread } from 'node:worker_threads';
      if (isMainThread) setInterval(() => {
        if (existsSync(${JSON.stringify(sign)} + process.pid)) throw new Error('boom');
      }, 20).unref();`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(bomb)}`;
    const { generations } = openSettings({ dataDir: folder.path });
    generations.add({ ...nothingSaved(), at: new Date().toISOString() });
    using started = startProcess({ KAPTAIN_DATA_DIR: folder.path, NODE_OPTIONS });
    const log = () => readFileSync(join(folder.path, 'logs', 'system-current.log'), 'utf8');
    /** The n-th worker that was started. */
    const pidOf = async (count: number) => {
      await started.said(new RegExp(`(?:is ready on [^]*?){${count}}`));
      const pids = () => [...log().matchAll(/"pid":(\d+)/g)].map(([, pid]) => pid);
      await expect.poll(() => pids().length).toBe(count);
      return pids()[count - 1];
    };
    writeFileSync(`${sign}${await pidOf(1)}`, '');
    await pidOf(2);
    const url = urlIn(started.output());
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'alive' });
    expect(log()).toMatch(/"message":"boom".*service failed[^]*service started/);
    expect(generations.mark(1)).toMatchObject({ status: 'applied' });
    started.child.send('stop');
    expect(await started.ended).toBe(0);
  });
});

describe('a start that fails prints one sentence that says what to do', () => {
  it('when the port is taken', async () => {
    using folder = temporaryFolder();
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const said = await failure({ KAPTAIN_DATA_DIR: folder.path, KAPTAIN_PORT: String(port) });
    other.close();
    expect(said).toBe(
      `Port ${port} is already in use. Stop the other program, or start with KAPTAIN_PORT=${port + 1} (or any free port).`,
    );
  });

  it('when the host is not of this computer', async () => {
    using folder = temporaryFolder();
    expect(await failure({ KAPTAIN_DATA_DIR: folder.path, KAPTAIN_HOST: '192.0.2.1' })).toContain(
      'Correct KAPTAIN_HOST',
    );
  });

  it('when the port is no port', async () => {
    using folder = temporaryFolder();
    expect(await refusal({ KAPTAIN_DATA_DIR: folder.path, KAPTAIN_PORT: 'http' })).toContain(
      'KAPTAIN_PORT must be',
    );
  });

  it('when the data folder is a file', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'taken');
    writeFileSync(file, 'a file');
    expect(await refusal({ KAPTAIN_DATA_DIR: file })).toContain('KAPTAIN_DATA_DIR');
  });

  it('when the data folder cannot be written', async () => {
    using folder = temporaryFolder();
    const closed = closedFolder(folder.path);
    expect(await refusal({ KAPTAIN_DATA_DIR: closed })).toContain(closed);
  });

  it('when the database is damaged, which stays as it is', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'kaptain.db');
    writeFileSync(file, 'this was a database once');
    const said = await refusal({ KAPTAIN_DATA_DIR: folder.path });
    expect(said).toContain('is damaged');
    expect(readFileSync(file, 'utf8')).toBe('this was a database once');
  });

  it('when the database is of a newer version, which stays as it is', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'kaptain.db');
    await (await openEmbeddedStore({ file })).close();
    const bytes = readFileSync(file);
    // How many steps a version must know: a small number behind its name in the table `in_force`.
    const places = [...bytes.toString('latin1').matchAll(/tables/g)].map(
      ({ index }) => index + 'tables'.length,
    );
    for (const place of places) if ((bytes[place] ?? 0) < 32) bytes[place] = 99;
    writeFileSync(file, bytes);
    expect(await refusal({ KAPTAIN_DATA_DIR: folder.path })).toContain('newer version');
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  it('when the settings are damaged', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'settings.json'), '{"settings":');
    expect(await refusal({ KAPTAIN_DATA_DIR: folder.path })).toContain("settings.json can't be read");
  });
});
