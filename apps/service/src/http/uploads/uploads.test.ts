import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { addKapsule } from '../../testing/kapsules.ts';
import { multipart, upload } from '../../testing/multipart.ts';
import { listenLocally } from '../../testing/raw-socket.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

const path = '/api/kapsule/import/kapsules';
const kap = (name: string) =>
  JSON.stringify({
    format: 'kap',
    version: 1,
    kapsule: { name, keyField: 'id', fields: [{ name: 'comment', type: 'text' }] },
  });

const temporary = (app: TestApp) => {
  const folder = join(app.folder, 'tmp');
  return existsSync(folder) ? readdirSync(folder) : [];
};

/** For tests of single uploads, each with kapsules of its own. */
const shared = appOfFile();

describe('an upload', () => {
  it('accepts names in any script and leaves no file behind', async () => {
    const { app, admin } = shared;
    const { status, body } = await upload(admin, path, [
      { name: 'Überraschung 要.kap', content: kap('in any script') },
    ]);
    expect([status, body]).toEqual([
      200,
      [expect.objectContaining({ file: 'Überraschung 要.kap', status: 'success' })],
    ]);
    expect(temporary(app)).toEqual([]);
  });

  it('is read as browsers and Node send a FormData', async () => {
    const { admin } = shared;
    const form = new FormData();
    form.append('note', 'a field that no call asks for');
    for (const name of ['a.kap', 'Überraschung 2.kap'])
      form.append('files', new File([kap(name)], name, { type: 'application/json' }));
    const sent = new Response(form);
    const headers = { 'content-type': sent.headers.get('content-type') ?? '' };
    const body = Buffer.from(await sent.arrayBuffer());
    const answer = await admin.call('POST', path, { body, headers });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      [
        { file: 'a.kap', status: 'success' },
        { file: 'Überraschung 2.kap', status: 'success' },
      ],
    ]);
  });

  it.each([
    ['no boundary', 'multipart/form-data', 'x'],
    ['a boundary that never comes', 'multipart/form-data; boundary=b', 'x'.repeat(1000)],
    ['nothing at all', 'multipart/form-data; boundary=b', '--b--\r\n'],
    [
      'half a part',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="files"; filename="a.kap"\r\n\r\nxx',
    ],
    ['a part without headers', 'multipart/form-data; boundary=b', '--b\r\n\r\n\r\n--b--\r\n'],
    [
      'a field of a prototype',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="__proto__"; filename="a.kap"\r\n\r\nxx\r\n--b--\r\n',
    ],
  ])('that is malformed is refused with 400: %s', async (title, contentType, body) => {
    const { app, admin } = shared;
    const answer = await admin.call('POST', path, { body, headers: { 'content-type': contentType } });
    expect([answer.status, answer.body.requestId]).toEqual([400, expect.any(String)]);
    expect(temporary(app)).toEqual([]);
    const good = [{ name: 'a.kap', content: kap(`after ${title}`) }];
    expect((await upload(admin, path, good)).status).toBe(200);
  });

  it('of another type than multipart is refused with 415, and multipart where JSON is wanted too', async () => {
    const { admin } = shared;
    expect((await admin.post(path, { a: 1 })).body.code).toBe('WRONG_TYPE');
    const { body, headers } = multipart([{ name: 'a.kap', content: 'x' }]);
    expect((await admin.call('POST', '/api/user/create', { body, headers })).body.code).toBe('WRONG_TYPE');
  });

  it('with too many files or fields is refused with 413', async () => {
    const { app, admin } = shared;
    const many = (length: number) => Array.from({ length }, () => ({ name: 'a.kap', content: 'x' }));
    expect((await upload(admin, path, many(51))).body.code).toBe('TOO_LARGE');
    const { body, headers } = multipart(many(200));
    expect((await admin.call('POST', path, { body, headers })).status).toBe(413);
    expect(temporary(app)).toEqual([]);
  });

  it('under another field name, or of another ending where one file is bad for all, is refused with 400', async () => {
    const { app, admin } = shared;
    const { id } = await addKapsule(app.store, 'Sales');
    const one = `/api/kapsule/import/kapsule/${id}`;
    expect((await upload(admin, path, [{ name: 'a.kap', content: kap('a'), field: 'x' }])).status).toBe(400);
    expect((await upload(admin, one, [{ name: 'a.txt', content: kap('a') }])).body.message).toContain('.kap');
    const huge = { name: 'a.kap', content: 'x'.repeat(1024 * 1024 + 1) };
    expect((await upload(admin, one, [huge])).body.code).toBe('TOO_LARGE');
    expect(temporary(app)).toEqual([]);
  });

  it('is refused with 429 when a user has two already, and can be sent when they are over', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const port = await listenLocally(app.http);
    const { body, headers } = multipart([{ name: 'a.kap', content: kap('a') }]);
    const begin = async () => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      const lines = [`POST ${path} HTTP/1.1`, 'host: localhost', `authorization: Bearer ${admin.token}`];
      socket.write(
        [...lines, `content-type: ${headers['content-type']}`, 'content-length: 100000', '', ''].join('\r\n'),
      );
      socket.write(body.subarray(0, body.length - 20));
      return socket;
    };
    const sockets = [await begin(), await begin()];
    await expect.poll(() => temporary(app)).toHaveLength(2);
    // Windows has no file modes; there the folder's permissions decide.
    const modes = temporary(app).map((name) => statSync(join(app.folder, 'tmp', name)).mode & 0o777);
    expect(process.platform === 'win32' ? [] : modes).toEqual(
      process.platform === 'win32' ? [] : [0o600, 0o600],
    );
    const refused = await admin.call('POST', path, { body, headers });
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '5']);
    for (const socket of sockets) socket.destroy();
    // An aborted upload leaves no file behind.
    await expect.poll(() => temporary(app)).toEqual([]);
    // The permit is released right after the file is gone.
    await expect.poll(async () => (await admin.call('POST', path, { body, headers })).status).toBe(200);
  });

  it('that is sent too slowly is ended', async () => {
    await using app = await testApp({ timeouts: { uploadSpanMs: 200 } });
    const admin = await app.asAdmin();
    const port = await listenLocally(app.http);
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const lines = [`POST ${path} HTTP/1.1`, 'host: localhost', `authorization: Bearer ${admin.token}`];
    socket.write(
      [...lines, 'content-type: multipart/form-data; boundary=b', 'content-length: 100000', '', '--b'].join(
        '\r\n',
      ),
    );
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(answer).toContain('408');
    expect(answer).toContain('REQUEST_TIMEOUT');
  });

  it('of a process that has ended is removed at the start, one of a running process is not', async () => {
    await using app = await testApp();
    const folder = join(app.folder, 'tmp');
    mkdirSync(folder);
    const name = (pid: number) => `upload-${pid}-${'0'.repeat(32)}`;
    for (const file of [name(process.pid), name(2 ** 22 - 3), name(process.ppid), 'mine.txt'])
      writeFileSync(join(folder, file), 'x');
    await app.http.ready();
    expect(readdirSync(folder).sort()).toEqual(['mine.txt', name(process.ppid)].sort());
  });
});
