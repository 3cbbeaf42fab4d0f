import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import type { Caller } from '../../testing/caller.ts';
import { actionsOn, addKapsule, grant } from '../../testing/kapsules.ts';
import { multipart } from '../../testing/multipart.ts';
import { good, qvdBytes, send } from '../../testing/qvd.ts';
import { listenLocally } from '../../testing/raw-socket.ts';
import type { TestApp } from '../../testing/test-app.ts';

const stored = async ({ store }: TestApp, id: string) =>
  (await store.granules.page(id, { sort: 'key', descending: false, offset: 0, limit: 100 })).rows;

const shared = appOfFile();

describe('the QVD import', () => {
  it('and its dry run need the right to save granules: ADMIN, owner, WRITE or DELETE', async () => {
    const { app, admin } = shared;
    const [vera, otto, ida] = [
      await app.asUser('vera'),
      await app.asUser('otto', { isCreate: true }),
      await app.asUser('ida'),
    ];
    const kapsule = await addKapsule(app.store, 'Rights', { owner: 'ida' });
    const statusFor = async (caller: Caller, more: string) =>
      (await send(caller, kapsule.id, [good], more)).status;
    const dry = '&dryRun=true';
    for (const more of ['', dry]) {
      expect(await statusFor(app.asNobody, more)).toBe(401);
      expect(await statusFor(otto, more)).toBe(404);
    }
    await grant(app.store, 'otto', ['READ'], [kapsule]);
    await grant(app.store, 'vera', ['READ', 'DELETE'], [kapsule]);
    for (const more of ['', dry]) expect(await statusFor(otto, more)).toBe(403);
    expect(await statusFor(vera, '')).toBe(200);
    // Readers save where the kapsule is open to them, and import nothing.
    await app.store.kapsules.patch(kapsule.id, { writers: 'READ' });
    for (const more of ['', dry]) expect(await statusFor(otto, more)).toBe(403);
    await grant(app.store, 'otto', ['READ', 'WRITE'], [kapsule]);
    for (const more of ['', dry]) expect(await statusFor(otto, more)).toBe(200);
    expect(await statusFor(ida, dry)).toBe(200);
    expect(await statusFor(admin, '')).toBe(200);
  });

  it('does not use the author and date in the file of a USER, who is the author of their import', async () => {
    const { app } = shared;
    const uwe = await app.asUser('uwe');
    const kapsule = await addKapsule(app.store, 'Authors', { owner: 'uwe' });
    const columns = ['id', 'comment', 'CreatedBy', 'Authors table.createdat'];
    const content = qvdBytes(columns, [['1', 'a', 'CORP\\boss', '2001-01-01T00:00:00Z']]);
    const file = { name: 'forged.qvd', content };
    const preview = await send(uwe, kapsule.id, [file], '&dryRun=true');
    const { body } = await send(uwe, kapsule.id, [file]);
    const taken = { matched: ['id', 'comment'], ignored: ['CreatedBy', 'Authors table.createdat'] };
    expect(preview.body['files']).toMatchObject([{ ...taken, preview: [{ user: 'TEST\\uwe' }] }]);
    expect(body['files']).toMatchObject([taken]);
    const [own] = await stored(app, kapsule.id);
    expect([own?.user, own?.createdAt.startsWith('2001')]).toEqual(['TEST\\uwe', false]);
  });

  it('stores nothing when the ADMIN whose file names authors becomes a USER meanwhile', async () => {
    const { app } = shared;
    const ada = await app.asUser('ada', { role: 'ADMIN', isCreate: true });
    const kapsule = await addKapsule(app.store, 'Demoted', { owner: 'ada' });
    const content = qvdBytes(['id', 'comment', 'CreatedBy'], [['1', 'a', 'CORP\\boss']]);
    const { body, headers } = multipart([{ name: 'a.qvd', field: 'files[]', content }]);
    const sending = request({
      port: await listenLocally(app.http),
      path: `/api/kapsule/import/qvd/data?kapsuleId=${kapsule.id}`,
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${ada.token}`, 'content-length': body.length },
    });
    sending.write(body.subarray(0, -1));
    // The file exists, so the caller was an ADMIN when the upload began; its last byte is sent later.
    await expect.poll(() => readdirSync(join(app.folder, 'tmp')).length).toBe(1);
    const [user] = await app.store.users.findBy('nameKey', 'ada');
    await app.store.users.patch(user?.id ?? '', { role: 'USER' });
    sending.end(body.subarray(-1));
    const [answer] = (await once(sending, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(403);
    expect((await app.store.granules.counts(kapsule.id)).total).toBe(0);
  });

  it('finds columns by exact name first, then in any case, with or without their table; takes author and date from the file of an ADMIN', async () => {
    const { app, admin } = shared;
    const { id } = await addKapsule(app.store, 'Names', { table: 'SalesComments' });
    const content = qvdBytes(
      ['ID', 'id', 'salescomments.Comment', 'T.AMOUNT', 'CREATEDBY', 'T.CreatedAt', 'else'],
      [['wrong', 'k', 'hello', 7, 'CORP\\jwe', '2026-01-02T03:04:05Z', 'x']],
      'T',
    );
    const { body } = await send(admin, id, [{ name: 'a.qvd', content }]);
    expect(body).toEqual({
      rows: 1,
      files: [
        {
          file: 'a.qvd',
          rows: 1,
          matched: ['id', 'salescomments.Comment', 'T.AMOUNT', 'CREATEDBY', 'T.CreatedAt'],
          ignored: ['ID', 'else'],
          refused: { count: 0, rows: 0, rules: [], first: [] },
        },
      ],
    });
    expect(await stored(app, id)).toMatchObject([
      {
        key: 'k',
        user: 'CORP\\jwe',
        createdAt: '2026-01-02T03:04:05.000Z',
        data: { comment: 'hello', amount: 7 },
        reloaded: false,
      },
    ]);
  });

  it('stores the number or the text of a dual by the type of its field, and leaves out rows without a key and NULLs', async () => {
    const { app, admin } = shared;
    const words = ['t:text', 'n:number', 'b:boolean', 'd:date', 's:timestamp', 'l:list'];
    const fields = words.map((word) => {
      const [name = '', type] = word.split(':');
      return { _id: name, name, type: type as 'text' };
    });
    const { id } = await addKapsule(app.store, 'Types', { fields });
    const dual = (number: number, text: string) => ({ number, text });
    const content = qvdBytes(
      ['id', 't', 'n', 'b', 'd', 's', 'l'],
      [
        [
          dual(1, 'one'),
          dual(2, 'two'),
          dual(3.5, '3,50 €'),
          -1,
          dual(46081, '28.02.26'),
          46081.5,
          '["a","b"]',
        ],
        [2, 2, '12.5', 'no', '2026-03-01', '2026-03-01 09:30', 'a, b'],
        [null, 'lost', null, null, null, null, null],
        ['', 'lost', null, null, null, null, null],
        [3, null, ' ', 'X', null, null, null],
      ],
    );
    const { body } = await send(admin, id, [{ name: 'a.qvd', content }]);
    expect(body['rows']).toBe(3);
    expect((await stored(app, id)).map(({ key, data }) => [key, data])).toEqual([
      ['2', { t: '2', n: 12.5, b: false, d: '2026-03-01', s: '2026-03-01T09:30:00.000Z', l: ['a, b'] }],
      ['3', { b: true }],
      ['one', { t: 'two', n: 3.5, b: true, d: '2026-02-28', s: '2026-02-28T12:00:00.000Z', l: ['a', 'b'] }],
    ]);
  });

  it('restores what was exported', async () => {
    const { app, admin } = shared;
    const one = await addKapsule(app.store, 'One');
    const two = await addKapsule(app.store, 'Two');
    await app.store.granules.upsert(one.id, [
      {
        key: 'A',
        user: 'vera',
        data: { comment: 'größer', amount: -1.5 },
        createdAt: '2026-01-02T03:04:05.678Z',
      },
      { key: 'B', user: 'otto', data: { comment: '' } },
    ]);
    const file = await app.http.inject({
      url: `/api/kapsule/${one.id}/export?format=qvd`,
      headers: { host: 'localhost', authorization: `Bearer ${admin.token}` },
    });
    await send(admin, two.id, [{ name: 'a.qvd', content: file.rawPayload }]);
    const content = async (id: string) =>
      (await stored(app, id)).map(({ key, user, data, createdAt }) => ({ key, user, data, createdAt }));
    expect(await content(two.id)).toEqual(await content(one.id));
  });

  it('previews the first rows of each file on a dry run, as many as fit into one answer, and stores nothing', async () => {
    const { app, admin } = shared;
    const { id } = await addKapsule(app.store, 'Dry run');
    const rows = Array.from({ length: 1000 }, (_, index) => [String(index), `comment ${index}`]);
    const small = { name: 'a.qvd', content: qvdBytes(['id', 'comment'], rows) };
    const longRows = Array.from({ length: 5 }, (_, n) => [String(n), `${n}`.padEnd(250_000, 'x')]);
    const long = { name: 'b.qvd', content: qvdBytes(['id', 'comment'], longRows) };
    const { body, text } = await send(admin, id, [small, long, { ...long, name: 'c.qvd' }], '&dryRun=true');
    expect(body).toMatchObject({
      rows: 1010,
      files: [{ rows: 1000, matched: ['id', 'comment'], ignored: [] }, { rows: 5 }, { rows: 5 }],
    });
    const [first] = body['files'] as { preview: unknown[] }[];
    expect(first?.preview).toHaveLength(5);
    expect(first?.preview[0]).toEqual({ key: '0', user: 'admin', data: { comment: 'comment 0' } });
    expect(text.length).toBeLessThan(1_100_000);
    expect((await app.store.granules.counts(id)).total).toBe(0);
    expect(await actionsOn(app.store, 'kapsule', id)).toEqual([]);
  });

  it('stores all files of a request or nothing, audited', async () => {
    const { app, admin } = shared;
    const { id } = await addKapsule(app.store, 'All or nothing');
    const rows = Array.from({ length: 2500 }, (_, index) => [String(index), `comment ${index}`]);
    const many = qvdBytes(['id', 'comment'], rows);
    // The last row is truncated, which is found only after thousands were read.
    const cut = many.subarray(0, many.length - 1);
    const refused = await send(admin, id, [good, { name: 'cut.qvd', content: cut }]);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringMatching(/^cut\.qvd: /)]);
    expect(await app.store.granules.counts(id)).toMatchObject({ total: 0 });
    const { body } = await send(admin, id, [good, { name: 'many.qvd', content: many }]);
    expect(body['rows']).toBe(2501);
    expect((await app.store.granules.counts(id)).total).toBe(2500);
    expect(await actionsOn(app.store, 'kapsule', id)).toEqual([
      {
        action: 'granule.import',
        before: null,
        after: { count: 2501, files: ['good.qvd: 1', 'many.qvd: 2500'] },
      },
    ]);
  });

  it('does not store the path of a file on the client', async () => {
    const { app, admin } = shared;
    const { id } = await addKapsule(app.store, 'Paths');
    const lineage =
      '<Lineage><LineageInfo><Discriminator>secret-server</Discriminator></LineageInfo></Lineage>';
    const text = good.content.toString('latin1').replace(/<Lineage>.*<\/Lineage>|<Lineage\s*\/>/s, lineage);
    const file = { name: 'a.qvd', content: Buffer.from(text, 'latin1') };
    expect(text).toContain('secret-server');
    const answers = [await send(admin, id, [file], '&dryRun=true'), await send(admin, id, [file])];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const everything = [answers, await stored(app, id), await app.store.audit.all(), app.logLines];
    expect(JSON.stringify(everything)).not.toContain('secret-server');
  });
});
