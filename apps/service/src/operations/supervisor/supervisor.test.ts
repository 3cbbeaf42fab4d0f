import { existsSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { SettingsUpdate } from '@kaptain/contract';
import { openEmbeddedStore } from '@kaptain/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFullTest, sized } from '../../../../../tools/test-size.ts';
import { nothingSaved } from '../../base/config/settings/generations.ts';
import { normalised } from '../../base/config/settings/normalised.ts';
import { openSettings } from '../../base/config/settings.ts';
import { start } from '../../start.ts';
import { testCertificate } from '../../testing/certificates.ts';
import { multipart } from '../../testing/multipart.ts';
import { type ServiceProcess, startProcess } from '../../testing/service-process.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const RESTARTS = sized(10, 1);
const CLIENTS = sized(8, 4);
const PASSWORD = 'correct horse battery';
const CONFIG = '/configuration/sys';

const folder = temporaryFolder();
let started: ServiceProcess;
let url = '';
let token = '';

const urlsIn = (output: string) => output.match(/https?:\/\/localhost:\d+/g) ?? [];

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

async function call(method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.text();
  return {
    status: response.status,
    body: answer.startsWith('{') ? (JSON.parse(answer) as Answer['body']) : {},
  };
}

interface Upload {
  path: string;
  body: Uint8Array<ArrayBuffer>;
  headers: Record<string, string>;
}

function uploadOf(name: string): Upload {
  const { body, headers } = multipart([{ field: 'file', name, content: testCertificate(name) }]);
  return { path: `${CONFIG}/upload/file/${name}`, body: new Uint8Array(body), headers };
}

async function upload(name: string): Promise<number> {
  const { path, body, headers } = uploadOf(name);
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...headers },
    body,
  });
  return response.status;
}

/** Requests over TLS on a new connection, trusting only the uploaded certificate. */
const secure = (
  method: string,
  { path, body, headers }: Partial<Upload> & { path: string },
): Promise<{ status: number; hsts: unknown; body: string }> =>
  new Promise((resolve, reject) => {
    const options = {
      method,
      agent: false,
      ca: testCertificate('server.pem'),
      headers: { authorization: `Bearer ${token}`, ...headers },
    };
    httpsRequest(url.replace('http:', 'https:') + path, options, (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      const hsts = answered['strict-transport-security'];
      text(response).then((answer) => resolve({ status, hsts, body: answer }), reject);
    })
      .once('error', reject)
      .end(body);
  });

/** How many workers have closed their port for the next one; a restart may change the log folder. */
const handedOver = () =>
  ['logs', 'elsewhere']
    .map((name) => join(folder.path, name, 'system-current.log'))
    .filter((file) => existsSync(file))
    .flatMap((file) => readFileSync(file, 'utf8').match(/"service handed over"/g) ?? []).length;

async function restart(): Promise<void> {
  const [before, handed] = [urlsIn(started.output()).length, handedOver()];
  started.child.send('restart');
  await started.said(new RegExp(`(?:https?://localhost[^]*?){${before + 1}}`));
  // Until then both workers accept connections, and the old one may not speak TLS yet.
  await expect.poll(handedOver).toBe(handed + 1);
}

const lastApply = async () =>
  (await call('GET', `${CONFIG}/state`)).body['lastApply'] as { status: string; reason: string };

const save = (settings: object) => {
  const { generations } = openSettings({ dataDir: folder.path });
  const { by } = nothingSaved();
  const saved = { at: new Date().toISOString(), by, changed: [], files: {} };
  generations.add({ ...saved, settings: normalised(SettingsUpdate.parse({ settings })) });
  return generations.numbers()[0] ?? 0;
};
let good = 0;
let bad = 0;

beforeAll(async () => {
  good = save({});
  const { generations } = openSettings({ dataDir: folder.path });
  generations.setMark(good, { status: 'applied', at: '', reason: null });
  // Without a certificate.
  bad = save({ https: true });
  started = startProcess({ KAPTAIN_DATA_DIR: folder.path, KAPTAIN_STOP_WITH_STDIN: '1' });
  await started.spoke;
  url = urlsIn(started.output())[0] ?? '';
  await call('POST', '/api/user/init', { username: 'admin', password: PASSWORD });
  const { body } = await call('POST', '/auth/login', { username: 'admin', password: PASSWORD });
  token = String(body['accessToken']);
});
afterAll(() => {
  started[Symbol.dispose]();
  folder[Symbol.dispose]();
});

describe('a start', () => {
  it('uses the settings before those that were never applied and fail, says so, and rejects these', async () => {
    expect(started.output()).toMatch(
      /^WARNING: The newest settings \(generation 2, .*\) are not used, .*: HTTPS can not be started: Server PEM is required! It uses generation 1, .* \(the embedded database, HTTP\)\. To end this warning, [^\n]*\nKaptain \d+\.\d+\.\d+ is ready on http:\/\/localhost:\d+\. Open it in a browser to create the admin account\.\n$/,
    );
    const { generations, began } = openSettings({ dataDir: folder.path });
    expect(began.generation).toBe(good);
    expect(generations.mark(bad)).toMatchObject({
      status: 'rejected',
      reason: expect.stringMatching(/HTTPS/),
    });
  });
});

describe('a restart', () => {
  it('with settings that can not start is rolled back with the reason, while the old worker serves', async () => {
    expect([await upload('server.pem'), await upload('server_key.pem')]).toEqual([200, 200]);
    expect((await call('PUT', `${CONFIG}/update/info`, { settings: { https: true } })).status).toBe(200);
    expect((await lastApply()).status).toBe('waiting');
    // A fault that could not be detected when the settings were saved.
    const stored = openSettings({ dataDir: folder.path }).serverFiles()['server.pem'] ?? '';
    rmSync(join(folder.path, 'certificates', stored));
    expect(await call('POST', `${CONFIG}/restart/service`)).toEqual({
      status: 200,
      body: { status: 'restarting' },
    });
    // At once: ten seconds later it is allowed again.
    expect((await call('POST', `${CONFIG}/restart/service`)).status).toBe(429);
    await started.said(/HTTPS can not be started/);
    await expect.poll(lastApply).toMatchObject({
      status: 'rolledBack',
      reason: 'HTTPS can not be started: Server PEM is required!',
    });
    expect((await call('GET', `${CONFIG}/get/info`)).body).toMatchObject({ settings: { https: false } });
    await expect
      .poll(async () => (await call('GET', '/api/audit?action=settings.rollBack')).body['data'])
      .toMatchObject([
        { actor: 'service', target: 'settings:3' },
        { actor: 'service', target: `settings:${bad}` },
      ]);
  });

  it('fails no request under load', async () => {
    const over = new AbortController();
    const failed: string[] = [];
    let served = 0;
    const client = async () => {
      while (!over.signal.aborted) {
        try {
          const { status } = await call('GET', `${CONFIG}/get/info`);
          if (status === 200) served += 1;
          else failed.push(String(status));
        } catch (error) {
          failed.push(String((error as Error).cause ?? error));
        }
        // Without a pause the clients would take all of the processor, and the restarts would take longer.
        await setTimeout(sized(20, 40));
      }
    };
    const clients = Array.from({ length: CLIENTS }, client);
    for (let count = 0; count < RESTARTS; count++) {
      await restart();
      const before = served;
      await expect.poll(() => served).toBeGreaterThan(before + clients.length);
    }
    over.abort();
    await Promise.all(clients);
    expect(failed).toEqual([]);
    // Without the hint to create the admin, who is there.
    expect(started.output()).toMatch(/is ready on http:\/\/localhost:\d+\n$/);
    expect(served).toBeGreaterThan(RESTARTS);
  });

  it.runIf(isFullTest)('applies the saved log folder and level', async () => {
    const logFile = (kind: string) => join(folder.path, 'elsewhere', `${kind}-current.log`);
    const system = { logPath: 'elsewhere', logLevel: 'debug' };
    expect((await call('PUT', `${CONFIG}/update/info`, { settings: {}, system })).status).toBe(200);
    // Polling a log is the only call that is logged at level debug alone.
    const tail = '/api/log/sys/sys/system-current.log/tail';
    const written = async (): Promise<object[]> => {
      await call('GET', tail);
      const lines = existsSync(logFile('system')) ? readFileSync(logFile('system'), 'utf8').split('\n') : [];
      return lines.filter(Boolean).map((line) => JSON.parse(line) as object);
    };
    expect(await written()).toEqual([]);
    await restart();
    await expect
      .poll(written)
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ level: 'info', msg: 'service started' }),
          expect.objectContaining({ level: 'debug', msg: 'request', path: tail, status: 200 }),
        ]),
      );
    expect(existsSync(logFile('app'))).toBe(true);
  });

  it('moves from http to https under the same port', async () => {
    expect([await upload('server.pem'), await upload('server_key.pem')]).toEqual([200, 200]);
    const settings = { https: true, hsts: true };
    expect((await call('PUT', `${CONFIG}/update/info`, { settings })).status).toBe(200);
    await restart();
    await expect
      .poll(() => secure('GET', { path: `${CONFIG}/state` }))
      .toMatchObject({ status: 200, hsts: 'max-age=86400' });
    expect(urlsIn(started.output()).at(-1)).toBe(url.replace('http:', 'https:'));
  });

  it.runIf(isFullTest)('moves from PEM to PFX, and withdraws HSTS', async () => {
    expect((await secure('POST', uploadOf('server.pfx'))).status).toBe(200);
    const settings = { https: true, usePfxCertificate: true, pfxPassword: 'secret', hsts: false };
    const saved = await secure('PUT', {
      path: `${CONFIG}/update/info`,
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(JSON.stringify({ settings })),
    });
    expect(saved.status).toBe(200);
    // It has the same certificate, so the PEM files are removed to prove that the PFX is served.
    const { 'server.pfx': pfx, ...pems } = openSettings({ dataDir: folder.path }).serverFiles();
    for (const name of Object.values(pems)) rmSync(join(folder.path, 'certificates', name));
    expect(pfx).toMatch(/\.pfx$/);
    await restart();
    const state = async () => {
      const { body, ...rest } = await secure('GET', { path: `${CONFIG}/state` });
      return { ...rest, ...(JSON.parse(body) as object) };
    };
    await expect
      .poll(state)
      .toMatchObject({ status: 200, hsts: 'max-age=0', lastApply: { status: 'applied' } });
  });

  it('is followed by an end without an error, when standard input ends as for a service of Windows', async () => {
    started.child.stdin?.end();
    const code = await started.ended;
    // Its output tells why it failed.
    expect(code === 0 ? '' : `${code}: ${started.output()}`).toBe('');
  });
});

describe('a start', () => {
  it('skips truncated settings, and writes the missing audit entry of those it uses', async () => {
    const whole = save({ userId: 'whole' });
    const cut = save({ userId: 'cut' });
    truncateSync(join(folder.path, 'settings', `${String(cut).padStart(6, '0')}.json`), 99);
    const service = await start({ KAPTAIN_DATA_DIR: folder.path, KAPTAIN_PORT: '0' });
    await service.stop();
    expect(openSettings({ dataDir: folder.path }).whole().settings.userId).toBe('whole');
    // The audit entry is missing, as after a crash between the two writes.
    const store = await openEmbeddedStore({ file: join(folder.path, 'kaptain.db') });
    const entries = await store.audit.findBy('target', `settings:${whole}`);
    await store.close();
    expect(entries).toMatchObject([{ action: 'settings.update', actor: 'host' }]);
  });
});
