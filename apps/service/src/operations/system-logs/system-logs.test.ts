import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { LogFileInfo, LogTail } from '@kaptain/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../testing/caller.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

let app: TestApp;
let admin: Caller;
let folder: string;
beforeEach(async () => {
  app = await testApp();
  admin = await app.asAdmin();
  folder = join(app.folder, 'logs');
  mkdirSync(folder);
});
afterEach(() => app[Symbol.asyncDispose]());

const write = (name: string, text = `${name}\n`) => writeFileSync(join(folder, name), text);
/** Writes the list of rotated files as the service does. */
const keepBook = (kind: 'system' | 'app', names: string[]) =>
  write(`.${kind}-history`, `${names.map((name) => join(folder, name)).join('\n')}\n`);
const get = (name: string, what = 'content', kind = 'sys') =>
  admin.get(`/api/log/sys/${kind}/${name}/${what}`);
const tail = async (cursor?: string, name = 'system-current.log') =>
  (await get(name, `tail${cursor ? `?cursor=${cursor}` : ''}`)).body as unknown as LogTail;

describe('the log files of the service', () => {
  it('are for ADMINs alone', async () => {
    write('system-current.log');
    const vera = await app.asUser('vera');
    for (const path of [
      'list',
      'files',
      ...['content', 'download', 'tail'].map((what) => `sys/system-current.log/${what}`),
    ]) {
      expect((await app.asNobody.get(`/api/log/sys/${path}`)).status).toBe(401);
      expect((await vera.get(`/api/log/sys/${path}`)).status).toBe(403);
      expect((await admin.get(`/api/log/sys/${path}`)).status).toBe(200);
    }
  });

  it('are listed newest first, and only those the service wrote itself', async () => {
    const rotated = ['system-2026-01-02-2.log', 'system-2026-01-02-10.log', 'system-2025-12-31-1.log'];
    const ours = [...rotated, 'system-current.log', 'app-current.log'];
    for (const name of ours) write(name);
    keepBook('system', [...rotated, 'system-2026-01-01-1.log', 'passwd', 'app-2026-01-01-1.log']);
    for (const name of ['passwd', 'system-2026-01-05-1.log', 'app-2026-01-01-1.log', 'system.log'])
      write(name);
    expect((await admin.get('/api/log/sys/list')).body).toEqual({
      sys: [
        'system-current.log',
        'system-2026-01-02-10.log',
        'system-2026-01-02-2.log',
        'system-2025-12-31-1.log',
      ],
      app: ['app-current.log'],
    });
    const listed = JSON.parse((await admin.get('/api/log/sys/files')).text) as LogFileInfo[];
    expect(listed.map(({ kind, fileName, bytes }) => [kind, fileName, bytes])).toEqual([
      ['sys', 'system-current.log', 19],
      ['sys', 'system-2026-01-02-10.log', 25],
      ['sys', 'system-2026-01-02-2.log', 24],
      ['sys', 'system-2025-12-31-1.log', 24],
      ['app', 'app-current.log', 16],
    ]);
    for (const { updatedAt } of listed) expect(Date.now() - Date.parse(updatedAt)).toBeLessThan(600_000);
    rmSync(folder, { recursive: true });
    expect((await admin.get('/api/log/sys/files')).body).toEqual([]);
    expect((await admin.get('/api/log/sys/list')).body).toEqual({ sys: [], app: [] });
  });

  it('are shown as text and downloaded under their own name', async () => {
    write('app-current.log', '{"level":"info","msg":"Grüße <script>"}\n');
    const content = await get('app-current.log', 'content', 'app');
    expect(content.text).toBe('{"level":"info","msg":"Grüße <script>"}\n');
    expect(content.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    const path = '/api/log/sys/app/app-current.log/download';
    const { body } = await admin.post('/api/download/ticket', { path });
    const saved = await app.asNobody.get(String(body['url']));
    expect(saved.text).toBe(content.text);
    expect(saved.headers).toMatchObject({
      'content-disposition': expect.stringContaining('attachment; filename="app-current.log"'),
      'content-security-policy': expect.stringContaining('sandbox'),
    });
  });

  it('are read by their exact names only, and no other file is', async () => {
    write('system-current.log');
    writeFileSync(join(app.folder, 'secret.log'), 'secret');
    symlinkSync(join(app.folder, 'secret.log'), join(folder, 'system-2026-01-01-1.log'));
    linkSync(join(app.folder, 'secret.log'), join(folder, 'system-2026-01-01-2.log'));
    if (process.platform !== 'win32') execFileSync('mkfifo', [join(folder, 'system-2026-01-01-3.log')]);
    mkdirSync(join(folder, 'system-2026-01-01-4.log'));
    const odd = [1, 2, 3, 4].map((number) => `system-2026-01-01-${number}.log`);
    keepBook('system', odd);
    expect((await admin.get('/api/log/sys/list')).body['sys']).toEqual(['system-current.log']);
    for (const name of [
      ...odd,
      '..%2fsecret.log',
      '..%2f..%2f..%2fetc%2fpasswd',
      '..%5csecret.log',
      '%2e%2e',
      '..',
      'system-current.log%00',
      'system-current.log%00.txt',
      'system-current.log%2f',
      'SYSTEM-CURRENT.LOG',
      'system-current.log ',
      '.system-history',
      '%ff',
      'x'.repeat(5000),
    ])
      for (const what of ['content', 'download', 'tail']) {
        const { status, text } = await get(name, what);
        expect([name, what, status >= 400 && status < 500]).toEqual([name, what, true]);
        expect(text).not.toContain('secret"');
      }
    expect((await get('system-current.log', 'content', 'app')).status).toBe(404);
    expect((await get('system-current.log', 'content', 'etc')).status).toBe(400);
  });

  it('are read from their end: only the complete lines of the last 2 MiB', async () => {
    write('system-current.log', '');
    truncateSync(join(folder, 'system-current.log'), 3 * 1024 ** 3);
    const lines = Array.from({ length: 30_000 }, (_, index) => `line ${index} ${'ä'.repeat(40)}\n`);
    appendFileSync(join(folder, 'system-current.log'), `\n${lines.join('')}`);
    const { text } = await get('system-current.log');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2 * 1024 ** 2);
    expect(Buffer.byteLength(text)).toBeGreaterThan(2 * 1024 ** 2 - 200);
    expect(text).toMatch(/^line \d+ ä+\n/);
    expect(text.endsWith(lines.at(-1) ?? '')).toBe(true);
    const seen = await tail();
    expect([seen.text, seen.isCut]).toEqual([text, true]);
  });
});

describe('following a log file', () => {
  it('returns each complete line once', async () => {
    write('system-current.log', 'one\ntwo\nthr');
    const first = await tail();
    expect(first).toMatchObject({ text: 'one\ntwo\n', isCut: false });
    expect(await tail(first.cursor)).toMatchObject({ text: '', cursor: first.cursor });
    appendFileSync(join(folder, 'system-current.log'), 'ee\nfour\n');
    expect(await tail(first.cursor)).toMatchObject({ text: 'three\nfour\n', isCut: false });
    // Polling writes no line at level info.
    const looks = app.logLines.map((line) => JSON.parse(line) as { level: string; path?: string });
    expect(looks.filter(({ path }) => path?.endsWith('/tail')).map(({ level }) => level)).toEqual(
      Array.from({ length: 3 }, () => 'debug'),
    );
  });

  it('continues in the new file after a rotation, and misses no line', async () => {
    write('system-current.log', 'one\n');
    const { cursor } = await tail();
    appendFileSync(join(folder, 'system-current.log'), 'two\n');
    renameSync(join(folder, 'system-current.log'), join(folder, 'system-2026-01-01-1.log'));
    keepBook('system', ['system-2026-01-01-1.log']);
    write('system-current.log', 'three\n');
    const next = await tail(cursor);
    expect(next).toMatchObject({ text: 'two\nthree\n', isCut: false });
    expect(await tail(next.cursor)).toMatchObject({ text: '' });
  });

  it('reports lost lines, and starts again with an unknown cursor', async () => {
    write('system-current.log', 'one\ntwo\n');
    const { cursor } = await tail();
    const file = openSync(join(folder, 'system-current.log'), 'w');
    writeSync(file, 'x\n');
    expect(await tail(cursor)).toMatchObject({ text: 'x\n', isCut: true });
    expect(await tail('999999999.5')).toMatchObject({ text: 'x\n', isCut: true });
    expect(await tail('nonsense')).toMatchObject({ text: 'x\n', isCut: false });
  });

  it('answers 404 when the file is deleted; a download that has begun is completed', async () => {
    write('app-current.log', 'x'.repeat(3_000_000));
    const response = await app.http.inject({
      url: '/api/log/sys/app/app-current.log/download',
      headers: { host: 'localhost', authorization: `Bearer ${admin.token}` },
      payloadAsStream: true,
    });
    rmSync(join(folder, 'app-current.log'));
    write('app-current.log', 'another');
    let length = 0;
    for await (const chunk of response.stream()) length += (chunk as Buffer).length;
    expect(length).toBe(3_000_000);
    rmSync(join(folder, 'app-current.log'));
    expect((await get('app-current.log', 'tail', 'app')).status).toBe(404);
  });
});
