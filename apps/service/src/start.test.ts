import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openEmbeddedStore } from '@kaptain/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFullTest } from '../../../tools/test-size.ts';
import { readBootConfig } from './base/config/boot-config.ts';
import { nothingSaved } from './base/config/settings/generations.ts';
import { openSettings } from './base/config/settings.ts';
import { ConfigError } from './base/errors/config-error.ts';
import { listen } from './listening.ts';
import { start } from './start.ts';
import { rawRequest } from './testing/raw-socket.ts';
import { main, type ServiceProcess, startProcess } from './testing/service-process.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { testApp } from './testing/test-app.ts';

/** A start that fails does not wait for the modules that it has begun to load; this file must not end before they are loaded. */
afterAll(() => import('./startup-modules.ts'));

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

const probe = join(import.meta.dirname, 'testing', 'probe.ts');

/** A folder that can not be written to, not even by root: a read-only file system of the kernel. */
function closedFolder(inside: string): string {
  if (process.getuid?.() === 0) return join('/proc', 'kaptain');
  const closed = join(inside, 'closed');
  mkdirSync(closed);
  chmodSync(closed, 0o500);
  return closed;
}

describe('the process', () => {
  const folder = temporaryFolder();
  const data = join(folder.path, 'made', 'for', 'you');
  let started: ServiceProcess;
  let url = '';
  const systemLog = () => readFileSync(join(data, 'logs', 'system-current.log'), 'utf8');
  /** The workers that have started. */
  const pids = () => [...systemLog().matchAll(/"pid":(\d+)/g)].map(([, pid]) => pid);

  beforeAll(async () => {
    const env = {
      KAPTAIN_DATA_DIR: data,
      KAPTAIN_LOG_STDOUT: 'true',
      KAPTAIN_TEST_PROBE: folder.path,
      NODE_OPTIONS: `--import=${pathToFileURL(probe).href}`,
    };
    started = startProcess(env, main);
    await started.said(/is ready on/);
    url = /http:\/\/localhost:\d+/.exec(started.output())?.[0] ?? '';
  });
  afterAll(() => {
    started[Symbol.dispose]();
    folder[Symbol.dispose]();
  });

  it('prints every log line as JSON when asked: one per request, with the id that the caller got', async () => {
    const answers = await Promise.all(
      ['/api/user/status', '/api/kapsule', '/api/user'].map((path) => fetch(url + path)),
    );
    await started.said(/(?:"msg":"request"[^]*){3}\n/);
    const printed = started.output().trimEnd().split('\n');
    const lines = printed.map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const line of lines) {
      expect(line).toMatchObject({ log: expect.stringMatching(/^(system|app)$/), level: expect.any(String) });
      expect(Date.parse(String(line['time']))).toBeGreaterThan(0);
    }
    const requests = lines.filter(({ msg }) => msg === 'request');
    expect(new Set(requests.map(({ requestId }) => requestId))).toEqual(
      new Set(answers.map(({ headers }) => headers.get('x-request-id'))),
    );
    expect(requests).toHaveLength(answers.length);
  });

  it('logs an unexpected failure, another worker takes over the port, and the settings stay applied', async () => {
    const { generations } = openSettings({ dataDir: data });
    generations.add({ ...nothingSaved(), at: new Date().toISOString() });
    generations.setMark(1, { status: 'applied', at: '', reason: null });
    await expect.poll(pids).toHaveLength(1);
    writeFileSync(join(folder.path, `fail-${pids()[0]}`), '');
    await started.said(/(?:"msg":"Kaptain [^"]* is ready on [^]*){2}/);
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'alive' });
    await expect.poll(pids).toHaveLength(2);
    expect(systemLog()).toMatch(/"message":"boom".*service failed[^]*"generation":1.*service started/);
    expect(generations.mark(1)).toMatchObject({ status: 'applied' });
  });

  it('serves without a reader of its output, and finishes what is in flight before a signal stops it; passwords are hashed at the decided cost', async () => {
    started.child.stdout?.destroy();
    for (let count = 0; count < 20; count += 1) expect((await fetch(`${url}/readyz`)).status).toBe(200);
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
    expect(systemLog()).toMatch(/service started[\s\S]*\/api\/user\/status[\s\S]*service stopped/);
    expect(existsSync(join(data, 'kaptain.db-wal'))).toBe(false);
    const store = await openEmbeddedStore({ file: join(data, 'kaptain.db') });
    const [admin] = await store.users.all();
    await store.close();
    expect(admin?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
  });

  it('has loaded no package that only other settings need', () => {
    const loadedBy = (pid: string | undefined) =>
      JSON.parse(readFileSync(join(folder.path, `packages-${pid}`), 'utf8')) as string[];
    const loaded = pids().flatMap(loadedBy);
    expect(loaded).toContain('fastify');
    const unneeded =
      /^(mongodb|bson|pg|mysql2|mssql|oracledb|snowflake-sdk|enigma\.js|jose|openid-client|prom-client)$/;
    expect(loaded.filter((name) => unneeded.test(name))).toEqual([]);
  });
});

/** A port of another program, and what a start says about it. */
async function takenPort() {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const sentence = `Port ${port} is already in use. Stop the other program, or start with KAPTAIN_PORT=${port + 1} (or any free port).`;
  return { port: String(port), sentence, [Symbol.dispose]: () => void other.close() };
}

describe('a start that fails prints one sentence that says what to do', () => {
  it('when the port is taken, and when the host is not of this computer', async () => {
    await using app = await testApp();
    using taken = await takenPort();
    const refused = (env: Record<string, string>) => listen(app, readBootConfig(env), 'http');
    await expect(refused({ KAPTAIN_PORT: taken.port })).rejects.toThrow(new ConfigError(taken.sentence));
    await expect(refused({ KAPTAIN_PORT: '0', KAPTAIN_HOST: '192.0.2.1' })).rejects.toThrow(
      /Correct KAPTAIN_HOST/,
    );
  });

  it.runIf(isFullTest)('when a worker finds the port taken, which its supervisor opens', async () => {
    using folder = temporaryFolder();
    using taken = await takenPort();
    using started = startProcess({ KAPTAIN_DATA_DIR: folder.path, KAPTAIN_PORT: taken.port }, main);
    expect([await started.ended, started.output()]).toEqual([1, `${taken.sentence}\n`]);
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
