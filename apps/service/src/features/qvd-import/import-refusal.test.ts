import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isFullTest } from '../../../../../tools/test-size.ts';
import { actionsOn, addKapsule } from '../../testing/kapsules.ts';
import { multipart, type TestFile } from '../../testing/multipart.ts';
import { good, qvdBytes, send } from '../../testing/qvd.ts';
import { listenLocally } from '../../testing/raw-socket.ts';
import { testApp } from '../../testing/test-app.ts';
import { readingLimits } from './qvd-reading.ts';

const standard = { ...readingLimits };
afterEach(() => Object.assign(readingLimits, standard));

describe('the QVD import', () => {
  it('names the columns found and expected when they do not match', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const { id } = await addKapsule(app.store, 'Sales');
    const messageOf = async (columns: string[]) =>
      (await send(admin, id, [{ name: 'a.qvd', content: qvdBytes(columns, [columns]) }])).body.message;
    expect(await messageOf(['Key', 'comment'])).toBe(
      'a.qvd: there is no column for the key field id. Columns found: Key, comment. Columns expected: id and at least one of comment, amount.',
    );
    expect(await messageOf(['id', 'Remark'])).toBe(
      'a.qvd: there is no column for any field. Columns found: id, Remark. Columns expected: id and at least one of comment, amount.',
    );
  });

  it('refuses hostile files with 400, leaves no file behind and accepts the next one', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const { id } = await addKapsule(app.store, 'Sales');
    const samples = join(import.meta.dirname, '..', '..', '..', '..', '..', 'packages', 'qvd', 'samples');
    const files: TestFile[] = [
      { name: 'empty.qvd', content: '' },
      { name: 'text.qvd', content: 'hello' },
      {
        name: 'bomb.qvd',
        content: `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "b">]><QvdTableHeader>&a;</QvdTableHeader>\0`,
      },
      { name: 'damaged.qvd', content: readFileSync(join(samples, 'qvd4js__damaged.qvd')) },
      { name: 'wrong.txt', content: good.content },
      { name: 'long.qvd', content: qvdBytes(['id', 'comment'], [['x'.repeat(1001), 'a']]) },
    ];
    for (const file of files) {
      const { status, body } = await send(admin, id, [file]);
      expect([file.name, status, body.message]).toEqual([file.name, 400, expect.stringContaining(file.name)]);
      expect(readdirSync(join(app.folder, 'tmp'))).toEqual([]);
    }
    expect((await send(admin, id, [good])).status).toBe(200);
    expect(app.logLines.filter((line) => line.includes('request failed'))).toEqual([]);
  });

  it('refuses a row that is larger than a granule may be, by its number, key and size, and stores nothing', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const fields = ['a', 'b', 'c'].map((name) => ({ _id: name, name, type: 'text' as const }));
    const { id } = await addKapsule(app.store, 'Sales', { fields });
    const large = 'x'.repeat(100_000);
    const rows = [
      ['k1', large, large, null],
      ['k2', large, large, large],
    ];
    const files = [
      { name: 'small.qvd', content: qvdBytes(['id', 'a'], [['k0', 'a']]) },
      { name: 'large.qvd', content: qvdBytes(['id', 'a', 'b', 'c'], rows) },
    ];
    for (const more of ['', '&dryRun=true']) {
      const { status, body } = await send(admin, id, files, more);
      expect([status, body.code, body.message]).toEqual([
        413,
        'TOO_LARGE',
        'large.qvd: row 2 (key "k2") has 300,022 bytes of data; one record may have at most 262,144.',
      ]);
    }
    expect(await app.store.granules.counts(id)).toMatchObject({ total: 0 });
    const exact = 'y'.repeat(262_144 - '{"a":""}'.length);
    const fits = { name: 'fits.qvd', content: qvdBytes(['id', 'a'], [['k', exact]]) };
    expect((await send(admin, id, [fits])).status).toBe(200);
    const tooLong = { name: 'long.qvd', content: qvdBytes(['id', 'a'], [['k', `${exact}y`]]) };
    expect((await send(admin, id, [tooLong])).status).toBe(413);
  });

  it('refuses files whose rows are far larger than the files, and stores nothing', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const { id } = await addKapsule(app.store, 'Sales');
    const large = 'x'.repeat(250_000);
    const rows = Array.from({ length: 400 }, (_, n) => [String(n), large]);
    const content = qvdBytes(['id', 'comment'], rows);
    // A dry run meets the same limit without the storing of 80 MB.
    const more = isFullTest ? '' : '&dryRun=true';
    const { status, body } = await send(admin, id, [{ name: 'a.qvd', content }], more);
    expect([status, body.code]).toEqual([413, 'TOO_LARGE']);
    expect(body.message).toMatch(
      /^a\.qvd: the rows of the files, which have 2\d\d,\d{3} bytes together, would take more/,
    );
    expect(await app.store.granules.counts(id)).toMatchObject({ total: 0 });
    expect(await actionsOn(app.store, 'kapsule', id)).toEqual([]);
  });

  it('is ended when it takes too long, and when the client disconnects', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const { id } = await addKapsule(app.store, 'Sales');
    readingLimits.timeMs = 1;
    expect((await send(admin, id, [good])).body.message).toContain('took too long');
    readingLimits.timeMs = standard.timeMs;
    const port = await listenLocally(app.http);
    const rows = Array.from({ length: 60_000 }, (_, place) => [String(place), `comment ${place}`]);
    const content = qvdBytes(['id', 'comment'], rows);
    const { body, headers } = multipart([{ name: 'a.qvd', field: 'files[]', content }]);
    const controller = new AbortController();
    const asked = fetch(`http://127.0.0.1:${port}/api/kapsule/import/qvd/data?kapsuleId=${id}`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${admin.token}` },
      body: new Uint8Array(body),
      signal: controller.signal,
    });
    const uploaded = () =>
      readdirSync(join(app.folder, 'tmp')).map((name) => statSync(join(app.folder, 'tmp', name)).size);
    // The upload is complete, and its rows are being stored.
    await expect.poll(uploaded, { interval: 5 }).toEqual([content.length]);
    controller.abort();
    await expect(asked).rejects.toThrow('abort');
    await expect.poll(() => readdirSync(join(app.folder, 'tmp'))).toEqual([]);
    expect((await app.store.granules.counts(id)).total).toBe(0);
  });
});
