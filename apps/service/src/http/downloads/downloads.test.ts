import { describe, expect, it } from 'vitest';
import { addGranules, addKapsule } from '../../testing/kapsules.ts';
import { listenLocally } from '../../testing/raw-socket.ts';
import { testApp } from '../../testing/test-app.ts';
import { attachment, safeFileName } from './file-names.ts';

async function world() {
  const app = await testApp();
  const admin = await app.asAdmin();
  const kapsule = await addKapsule(app.store, 'Sales');
  await addGranules(app.store, kapsule, 2000);
  return { app, admin, path: `/api/kapsule/${kapsule.id}/export?format=ndjson` };
}

describe('a download', () => {
  it('that fails before its first byte is answered as any other error', async () => {
    const { app, admin, path } = await world();
    await using _ = app;
    app.store.granules.stream = () => {
      throw new Error('no luck with /var/lib/secret');
    };
    const { status, body, headers, text } = await admin.get(path);
    expect([status, body.code, headers['content-type']]).toEqual([
      500,
      'INTERNAL',
      'application/json; charset=utf-8',
    ]);
    expect(text).not.toContain('secret');
  });

  it('that fails later is aborted, so that no client takes it for complete', async () => {
    const { app, admin, path } = await world();
    await using _ = app;
    const port = await listenLocally(app.http);
    app.store.granules.stream = async function* () {
      yield Buffer.from('{"a":1}\n');
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw new Error('no luck');
    };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${admin.token}` },
    });
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow('terminated');
    expect((await admin.get('/api/kapsule')).status).toBe(200);
  });

  it('ends its source when the client disconnects', async () => {
    const { app, admin, path } = await world();
    await using _ = app;
    const port = await listenLocally(app.http);
    let isEnded = false;
    app.store.granules.stream = async function* () {
      try {
        for (;;) yield Buffer.from(`${JSON.stringify({ text: 'x'.repeat(100_000) })}\n`);
      } finally {
        isEnded = true;
      }
    };
    const controller = new AbortController();
    const { signal } = controller;
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${admin.token}` },
      signal,
    });
    await answer.body?.getReader().read();
    controller.abort();
    await expect.poll(() => isEnded).toBe(true);
  });

  it('stops reading its source while the client does not read', async () => {
    const { app, admin, path } = await world();
    await using _ = app;
    const port = await listenLocally(app.http);
    let chunks = 0;
    app.store.granules.stream = async function* () {
      for (;;) {
        chunks += 1;
        yield Buffer.from(`${'x'.repeat(100_000)}\n`);
      }
    };
    const controller = new AbortController();
    const { signal } = controller;
    await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${admin.token}` },
      signal,
    });
    let before = -1;
    const isSame = () => before === (before = chunks);
    await expect.poll(isSame, { interval: 300 }).toBe(true);
    controller.abort();
  });
});

describe('the name of a download', () => {
  it.each([
    ['Sales', 'Sales.kap'],
    ['a/b\\c:d*e?f"g<h>i|j', 'a_b_c_d_e_f_g_h_i_j.kap'],
    ['..', 'download.kap'],
    ['two\r\nlines', 'twolines.kap'],
    ['\u202efdp.exe', 'fdp.exe.kap'],
    ['x'.repeat(400), `${'x'.repeat(150)}.kap`],
  ])('is one that every file system takes: %j', (name, expected) => {
    expect(safeFileName(name, '.kap')).toBe(expected);
  });

  it('can not break out of its header', () => {
    expect(attachment(`Ü"; x=y'(1).kap`)).toBe(
      `attachment; filename="___ x_y_(1).kap"; filename*=UTF-8''%C3%9C%22%3B%20x%3Dy%27%281%29.kap`,
    );
  });
});
