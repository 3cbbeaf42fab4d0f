import { readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFullTest } from '../../../../../tools/test-size.ts';
import { openSettings } from '../../base/config/settings.ts';
import { testCertificate } from '../../testing/certificates.ts';
import { multipart } from '../../testing/multipart.ts';
import { type ServiceProcess, startProcess } from '../../testing/service-process.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const admin = { username: 'admin', password: 'correct horse battery' };
const CRASHES = 6;
const CONFIG = '/configuration/sys';

let folder: ReturnType<typeof temporaryFolder>;
let started: ServiceProcess;
let url = '';
let token = '';

const readyCount = () => started.output().match(/is ready on/g)?.length ?? 0;
const ready = (times: number) => started.said(new RegExp(`(?:is ready on[^]*?){${times}}`));

/** The pid of the worker, from the log, which is written shortly after the first line of output. */
async function workerPid(): Promise<number> {
  const starts = () =>
    readFileSync(join(folder.path, 'logs', 'system-current.log'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"service started"'))
      .map((line) => (JSON.parse(line) as { pid: number }).pid);
  await expect.poll(starts).toHaveLength(readyCount());
  return starts().at(-1) ?? 0;
}

async function crash(): Promise<void> {
  const before = readyCount();
  process.kill(await workerPid(), 'SIGKILL');
  await ready(before + 1);
}

async function call(method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return (await response.json()) as Record<string, unknown>;
}

async function upload(name: string): Promise<number> {
  const { body, headers } = multipart([{ field: 'file', name, content: testCertificate(name) }]);
  const response = await fetch(`${url}${CONFIG}/upload/file/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: new Uint8Array(body),
  });
  return response.status;
}

beforeAll(async () => {
  folder = temporaryFolder();
  started = startProcess({ KAPTAIN_DATA_DIR: folder.path });
  await ready(1);
  url = /http:\/\/localhost:\d+/.exec(started.output())?.[0] ?? '';
  await call('POST', '/api/user/init', admin);
  token = String((await call('POST', '/auth/login', admin))['accessToken']);
});
afterAll(async () => {
  started.child.send('stop');
  await started.ended;
  folder[Symbol.dispose]();
});

// `start.test.ts` always tries one crash.
describe.runIf(isFullTest)('a crash of the worker', () => {
  it('is followed by a new worker without a delay, and never rolls back applied settings', async () => {
    await call('PUT', `${CONFIG}/update/info`, { settings: { userId: 'kept' } });
    expect(await call('POST', `${CONFIG}/restart/service`)).toEqual({ status: 'restarting' });
    await ready(2);
    for (let count = 0; count < CRASHES; count++) await crash();
    expect(await call('GET', `${CONFIG}/get/info`)).toMatchObject({ settings: { userId: 'kept' } });
    // A keep-alive connection may still belong to the retiring worker.
    await expect
      .poll(() => call('GET', `${CONFIG}/state`))
      .toMatchObject({ running: 1, lastApply: { status: 'applied' } });
    expect((await call('GET', '/api/audit?action=settings.rollBack'))['data']).toEqual([]);
  });

  it('rolls back settings that were never applied and can not start', async () => {
    expect([await upload('server.pem'), await upload('server_key.pem')]).toEqual([200, 200]);
    const saved = await call('PUT', `${CONFIG}/update/info`, { settings: { https: true } });
    expect(saved).toEqual({ status: 'success' });
    const stored = openSettings({ dataDir: folder.path }).serverFiles()['server.pem'] ?? '';
    rmSync(join(folder.path, 'certificates', stored));
    await crash();
    expect(await call('GET', `${CONFIG}/get/info`)).toMatchObject({ settings: { https: false } });
    expect(await call('GET', `${CONFIG}/state`)).toMatchObject({ lastApply: { status: 'rolledBack' } });
  });

  // Windows can not stop a process by a signal.
  it.runIf(process.platform !== 'win32')('closes the open connections', async () => {
    const before = readyCount();
    const pid = await workerPid();
    process.kill(pid, 'SIGSTOP');
    const closed = Array.from({ length: 6 }, async () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
      socket.once('connect', () => socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'));
      const over = new Promise<string>((resolve) => socket.once('close', () => resolve('closed')));
      await new Promise((resolve) => socket.once('connect', resolve));
      return { over };
    });
    const sockets = await Promise.all(closed);
    process.kill(pid, 'SIGKILL');
    expect(await Promise.all(sockets.map(({ over }) => over))).toEqual(Array.from(sockets, () => 'closed'));
    await ready(before + 1);
  });
});
