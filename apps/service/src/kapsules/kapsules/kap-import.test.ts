import type { Kapsule } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { actionsOn, addKapsule } from '../../testing/kapsules.ts';
import { multipart, upload } from '../../testing/multipart.ts';
import { testApp } from '../../testing/test-app.ts';

const path = '/api/kapsule/import/kapsules';
const structure = {
  name: 'Sales – Überraschung',
  table: 'SalesComments',
  keyField: 'Order ID',
  database: 'kaptaindb',
  tableName: 'kaptaindb',
  fields: [
    { name: 'Comment', type: 'text' },
    { name: 'Amount', type: 'number' },
    { name: 'Tags', type: 'list' },
  ],
};
const kap = (change: object = {}, outer: object = {}) =>
  JSON.stringify({ format: 'kap', version: 1, kapsule: { ...structure, ...change }, ...outer });

type Line = { file: string; status: string; message: string; kapsuleId?: string };
/** For tests that have kapsules of their own. */
const shared = appOfFile();

const linesOf = (body: unknown) => body as Line[];

describe('the import of .kap files', () => {
  it('is for ADMINs and for users who may create kapsules', async () => {
    const { app, admin } = shared;
    const files = [{ name: 'a.kap', content: kap({ name: 'a' }) }];
    expect((await upload(app.asNobody, path, files)).status).toBe(401);
    expect((await upload(await app.asUser('vera'), path, files)).body.code).toBe('FORBIDDEN');
    expect((await upload(await app.asUser('otto', { isCreate: true }), path, files)).status).toBe(200);
    expect((await upload(admin, path, [{ name: 'b.kap', content: kap({ name: 'b' }) }])).status).toBe(200);
  });

  it('creates a kapsule owned by the importer, audited', async () => {
    await using app = await testApp();
    const otto = await app.asUser('otto', { isCreate: true });
    const [line] = linesOf((await upload(otto, path, [{ name: 'a.kap', content: kap() }])).body);
    expect(line).toMatchObject({ file: 'a.kap', status: 'success' });
    const { body } = await otto.get(`/api/kapsule/${line?.kapsuleId}`);
    expect(body).toMatchObject({
      ...structure,
      owner: 'otto',
      authority: ['READ', 'DELETE'],
      fields: structure.fields,
    });
    expect(await actionsOn(app.store, 'kapsule', line?.kapsuleId ?? '')).toEqual([
      {
        action: 'kapsule.import',
        before: null,
        after: { ...structure, fields: ['Comment (text)', 'Amount (number)', 'Tags (list)'] },
      },
    ]);
  });

  it('restores exactly what an export wrote', async () => {
    const { app, admin } = shared;
    const olga = await app.asUser('olga', { isCreate: true });
    const [made] = linesOf((await upload(admin, path, [{ name: 'a.kap', content: kap() }])).body);
    const { text, headers } = await admin.get(`/api/kapsule/export/kapsule?kapsuleId=${made?.kapsuleId}`);
    expect(headers['content-disposition']).toContain(
      "filename*=UTF-8''Sales%20%E2%80%93%20%C3%9Cberraschung.kap",
    );
    expect((JSON.parse(text) as { kapsule: unknown }).kapsule).toEqual(structure);
    // Another user, who can't see the first kapsule, may use the same name.
    const [again] = linesOf((await upload(olga, path, [{ name: 'b.kap', content: text }])).body);
    expect(again?.status).toBe('success');
    const second = await olga.get(`/api/kapsule/export/kapsule?kapsuleId=${again?.kapsuleId}`);
    const without = (file: string) => file.replace(/"exportedAt": "[^"]+"/, '');
    expect(without(second.text)).toBe(without(text));
  });

  it('refuses every hostile file by itself, with its own message', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    await addKapsule(app.store, 'Taken');
    const field = (name: string, type = 'text') => ({ fields: [{ name, type }] });
    const cases: [name: string, content: string | Uint8Array, message: RegExp][] = [
      ['good.kap', kap(), /was created/],
      ['deep.kap', `${'[{"a":'.repeat(50_000)}1`, /nested too deeply/],
      [
        'deep2.kap',
        kap({}, { extra: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) as unknown }),
        /nested too deeply/,
      ],
      [
        'proto.kap',
        `{"format":"kap","version":1,"__proto__":{"a":1},"kapsule":${JSON.stringify(structure)}}`,
        /__proto__/,
      ],
      ['huge.kap', 'x'.repeat(1_048_577), /at most 1048576 bytes/],
      ['version.kap', kap({}, { version: 4 }), /of a version this service does not know/],
      ['format.kap', kap({}, { format: 'zip' }), /not a \.kap file/],
      ['users.kap', kap({ name: 'u', tableName: 'users' }), /belongs to the database or to this service/],
      ['sqlite.kap', kap({ name: 's', tableName: 'sqlite_master' }), /belongs to/],
      ['sql.kap', kap({ name: 'q', tableName: 'x"; DROP TABLE users; --' }), /is not allowed/],
      ['long.kap', kap({ name: 'l', tableName: 'x'.repeat(64) }), /is not allowed/],
      [
        'twice.kap',
        kap({ name: 't', fields: [...field('A').fields, ...field('a').fields] }),
        /a is there more than once/,
      ],
      ['type.kap', kap({ name: 'y', ...field('A', 'blob') }), /kapsule\.fields\.0\.type/],
      ['none.kap', kap({ name: 'n', fields: [] }), /at least one field/],
      ['name.kap', kap({ name: '' }), /needs a name/],
      ['unseen.kap', kap({ name: '\u200b' }), /visible characters/],
      ['nul.kap', kap({ name: 'a\u0000b' }), /cannot be stored/],
      ['taken.kap', kap({ name: 'TAKEN' }), /TAKEN exists already/],
      ['elsewhere.kap', kap({ name: 'e', database: 'mssql', tableName: 'Comments' }), /mssql is not set up/],
      ['database.kap', kap({ name: 'd', database: 'dbase' }), /kapsule\.database/],
      ['list.kap', '[]', /not a \.kap file/],
      ['empty.kap', '', /not a \.kap file/],
      ['binary.kap', new Uint8Array([0xff, 0xfe, 0x00]), /not a \.kap file/],
      ['wrong.zip', kap({ name: 'w' }), /only \.kap files/],
      ['same.kap', kap(), /exists already/],
    ];
    const { status, body } = await upload(
      admin,
      path,
      cases.map(([name, content]) => ({ name, content })),
    );
    expect(status).toBe(200);
    const lines = linesOf(body);
    for (const [index, [file, , message]] of cases.entries())
      expect(lines[index]).toEqual(
        expect.objectContaining({
          file,
          status: file === 'good.kap' ? 'success' : 'failed',
          message: expect.stringMatching(message) as string,
        }),
      );
    expect((await app.store.kapsules.all()).map(({ name }) => name)).toEqual(['Taken', structure.name]);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  it('accepts a byte order mark and unknown keys', async () => {
    await using app = await testApp();
    const content = `\ufeff${kap({ owner: 'mallory', _id: 'x', ownerId: 'y' }, { more: [1] })}`;
    const [line] = linesOf((await upload(await app.asAdmin(), path, [{ name: 'A.KAP', content }])).body);
    expect(line?.status).toBe('success');
    expect(await app.store.kapsules.all()).toMatchObject([{ id: line?.kapsuleId, owner: 'admin' }]);
  });
});

describe('the export of a kapsule', () => {
  it('is for those who may read it', async () => {
    const { app, admin } = shared;
    const { id } = await addKapsule(app.store, 'Exported');
    const address = `/api/kapsule/export/kapsule?kapsuleId=${id}`;
    expect((await app.asNobody.get(address)).status).toBe(401);
    expect((await (await app.asUser('vera')).get(address)).status).toBe(404);
    expect((await admin.get(address)).status).toBe(200);
    expect((await actionsOn(app.store, 'kapsule', id)).map(({ action }) => action)).toEqual([
      'kapsule.export',
    ]);
  });
});

describe('replacing a structure', () => {
  it('is for ADMIN, owner and those who may delete', async () => {
    const { app, admin } = shared;
    const [vera, otto] = [await app.asUser('vera'), await app.asUser('otto', { isCreate: true })];
    const { id } = await addKapsule(app.store, 'Replaced', { owner: 'otto' });
    const files = [{ name: 'a.kap', content: kap() }];
    const address = `/api/kapsule/import/kapsule/${id}`;
    expect((await upload(app.asNobody, address, files)).status).toBe(401);
    expect((await upload(vera, address, files)).status).toBe(404);
    expect((await upload(otto, address, files)).status).toBe(200);
    expect((await upload(admin, address, files)).status).toBe(200);
  });

  it('is refused with If-Match when another user has replaced it meanwhile', async () => {
    const { app, admin } = shared;
    const { id, version } = await addKapsule(app.store, 'Meanwhile');
    const { body, headers } = multipart([{ name: 'a.kap', content: kap() }]);
    const replace = () =>
      admin.call('POST', `/api/kapsule/import/kapsule/${id}`, {
        body,
        headers: { ...headers, 'if-match': `"${version}"` },
      });
    expect((await replace()).status).toBe(200);
    const [second, kept] = [await replace(), await app.store.kapsules.get(id)];
    expect([second.status, second.body.code, kept?.version]).toEqual([412, 'STALE', version + 1]);
  });

  it('changes fields and table, and nothing else; the audit entry has the difference', async () => {
    const { app, admin } = shared;
    const old = await addKapsule(app.store, 'Changed');
    await app.store.granules.upsert(old.id, [{ key: '1', user: 'u', data: { comment: 'a', amount: 1 } }]);
    const content = kap({
      name: 'Other',
      tableName: 'elsewhere',
      database: 'mssql',
      table: 'New table',
      fields: [
        { name: 'comment', type: 'text' },
        { name: 'amount', type: 'text' },
        { name: 'due', type: 'date' },
      ],
    });
    const answer = await upload(admin, `/api/kapsule/import/kapsule/${old.id}`, [{ name: 'a.kap', content }]);
    const kapsule = answer.body['kapsule'] as Kapsule;
    expect([answer.status, answer.body.status]).toEqual([200, 'success']);
    const { name, database, tableName, keyField, owner } = old;
    expect(kapsule).toMatchObject({ name, database, tableName, keyField, owner, table: 'New table' });
    expect(kapsule.fields.map((field) => [field.name, field.type])).toEqual([
      ['comment', 'text'],
      ['amount', 'text'],
      ['due', 'date'],
    ]);
    expect(kapsule.fields.slice(0, 2).map(({ _id }) => _id)).toEqual(['f1', 'f2']);
    expect((await app.store.granules.counts(old.id)).total).toBe(1);
    expect(await actionsOn(app.store, 'kapsule', old.id)).toEqual([
      {
        action: 'kapsule.replace',
        before: { table: 'Changed table', fields: ['amount (number)'] },
        after: { table: 'New table', fields: ['amount (text)', 'due (date)'] },
      },
    ]);
  });
});
