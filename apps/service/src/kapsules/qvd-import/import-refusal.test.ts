import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isFullTest } from '../../../../../tools/test-size.ts';
import { appOfFile } from '../../testing/app-of-file.ts';
import { actionsOn, addKapsule } from '../../testing/kapsules.ts';
import type { TestFile } from '../../testing/multipart.ts';
import { good, qvdBytes, send } from '../../testing/qvd.ts';
import { readingLimits } from './qvd-thread.ts';

const standard = { ...readingLimits };
afterEach(() => Object.assign(readingLimits, standard));

const shared = appOfFile();

describe('the QVD import', () => {
  it('refuses hostile files and other columns with 400, leaves no file behind and accepts the next one', async () => {
    const { app, admin } = shared;
    const { id } = await addKapsule(app.store, 'Hostile');
    const samples = join(import.meta.dirname, '..', '..', '..', '..', '..', 'packages', 'qvd', 'samples');
    const files: TestFile[] = [
      { name: 'empty.qvd', content: '' },
      {
        name: 'bomb.qvd',
        content: `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "b">]><QvdTableHeader>&a;</QvdTableHeader>\0`,
      },
      { name: 'damaged.qvd', content: readFileSync(join(samples, 'qvd4js__damaged.qvd')) },
      { name: 'wrong.txt', content: good.content },
      { name: 'long.qvd', content: qvdBytes(['id', 'comment'], [['x'.repeat(1001), 'a']]) },
      { name: 'columns.qvd', content: qvdBytes(['Key', 'comment'], [['k', 'a']]) },
    ];
    const messages: unknown[] = [];
    for (const file of files) {
      const { status, body } = await send(admin, id, [file]);
      expect([file.name, status, body.message]).toEqual([file.name, 400, expect.stringContaining(file.name)]);
      expect(readdirSync(join(app.folder, 'tmp'))).toEqual([]);
      messages.push(body.message);
    }
    expect(messages.at(-1)).toBe(
      'columns.qvd: there is no column for the key field id. Columns found: Key, comment. Columns expected: id and at least one of comment, amount.',
    );
    expect((await send(admin, id, [good])).status).toBe(200);
    expect(app.logLines.filter((line) => line.includes('request failed'))).toEqual([]);
  });

  it('refuses a row that is larger than a granule may be, by its number, key and size, and stores nothing', async () => {
    const { app, admin } = shared;
    const fields = ['a', 'b', 'c'].map((name) => ({ _id: name, name, type: 'text' as const }));
    const { id } = await addKapsule(app.store, 'Large rows', { fields });
    const large = 'x'.repeat(100_000);
    const rows = [
      ['k1', large, large, null],
      ['k2', large, large, large],
    ];
    const files = [
      { name: 'small.qvd', content: qvdBytes(['id', 'a'], [['k0', 'a']]) },
      { name: 'large.qvd', content: qvdBytes(['id', 'a', 'b', 'c'], rows) },
    ];
    const { status, body } = await send(admin, id, files);
    expect([status, body.code, body.message]).toEqual([
      413,
      'TOO_LARGE',
      'large.qvd: row 2 (key "k2") has 300,022 bytes of data; one record may have at most 262,144.',
    ]);
    expect(await app.store.granules.counts(id)).toMatchObject({ total: 0 });
  });

  it('refuses files whose rows are far larger than the files, and stores nothing', async () => {
    const { app, admin } = shared;
    const { id } = await addKapsule(app.store, 'Expanding');
    // Each character has six bytes in JSON.
    const large = '\u0001'.repeat(40_000);
    const rows = Array.from({ length: 400 }, (_, n) => [String(n), large]);
    const content = qvdBytes(['id', 'comment'], rows);
    // A dry run meets the same limit without the storing of 70 MB.
    const more = isFullTest ? '' : '&dryRun=true';
    const { status, body } = await send(admin, id, [{ name: 'a.qvd', content }], more);
    expect([status, body.code]).toEqual([413, 'TOO_LARGE']);
    expect(body.message).toMatch(
      /^a\.qvd: the rows of the files, which have 4\d,\d{3} bytes together, would take more/,
    );
    expect(await app.store.granules.counts(id)).toMatchObject({ total: 0 });
    expect(await actionsOn(app.store, 'kapsule', id)).toEqual([]);
  });

  it('is ended when it takes too long', async () => {
    const { app, admin } = shared;
    const { id } = await addKapsule(app.store, 'Slow');
    readingLimits.timeMs = 1;
    expect((await send(admin, id, [good])).body.message).toContain('took too long');
    expect((await app.store.granules.counts(id)).total).toBe(0);
  });
});
