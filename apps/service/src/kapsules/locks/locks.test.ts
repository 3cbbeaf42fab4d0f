import type { Field } from '@kaptain/contract';
import type { Lock } from '@kaptain/contract/locks';
import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import type { Caller, TestAnswer } from '../../testing/caller.ts';
import { actionsOn, grant } from '../../testing/kapsules.ts';
import { upload } from '../../testing/multipart.ts';
import { closed, closedIn, fields, lock, lockedPlace, rows } from './testing/locked-place.ts';

const shared = appOfFile();
const place = (change?: { owner?: string }) => lockedPlace(shared, change);

describe('the locks of a kapsule', () => {
  it('are for ADMINs, the owner and groups with DELETE, and told to no others', async () => {
    const { app, admin, kapsule, path, put } = await place();
    const vera = await app.asUser('vera');
    expect((await put(app.asNobody, [lock()])).status).toBe(401);
    expect((await put(vera, [lock()])).status).toBe(404);
    for (const authority of ['READ', 'WRITE'] as const) {
      await grant(app.store, 'vera', [authority], [kapsule]);
      expect((await put(vera, [lock()])).status).toBe(403);
      expect((await vera.get(path)).body['locks']).toBeUndefined();
    }
    expect((await admin.get(path)).body['locks']).toEqual([]);
    await grant(app.store, 'vera', ['DELETE'], [kapsule]);
    const { status, body } = await put(vera, [lock()], kapsule.version);
    expect([status, body['locks']]).toEqual([200, [lock()]]);
    expect((await admin.get(path)).body['locks']).toEqual([lock()]);
    expect((await put(vera, [], kapsule.version)).status).toBe(412);
    expect((await put(vera, [lock()])).status).toBe(200);
    expect(await actionsOn(app.store, 'kapsule', kapsule.id)).toMatchObject([
      { action: 'kapsule.locks', before: { locks: [] }, after: { locks: [lock()] } },
    ]);
  });

  it('refuses what means nothing', async () => {
    const { app, admin, put } = await place();
    const elsewhere = await grant(app.store, 'vera', ['READ'], []);
    for (const wrong of [
      [lock({ fields: ['gone'] })],
      [lock(), lock()],
      [lock({ closes: 'unless', conditions: [] })],
      [lock({ conditions: [{ on: 'field', field: 'Amount', is: 'atMost', value: 'x' }] })],
      [lock({ conditions: [{ on: 'group', groupIds: [elsewhere] }] })],
      [lock({ conditions: [{ on: 'group', groupIds: ['none'] }] })],
      [lock({ conditions: [{ on: 'time', is: 'after', at: 'x' }] })],
      [{ ...lock(), closes: 'never' }],
      [{ ...lock(), openers: 'EVERYONE' }],
      Array.from({ length: 21 }, (_, n) => lock({ name: `${n}` })),
      [
        lock({
          conditions: Array.from({ length: 11 }, () => ({ on: 'field', field: 'Amount', is: 'empty' })),
        }),
      ],
      'x',
      null,
    ])
      expect([wrong, (await put(admin, wrong)).status]).toEqual([wrong, expect.toBeOneOf([400, 413])]);
  });

  it('keep a group that has left the kapsule, as long as they stay', async () => {
    const { app, admin, kapsule, put } = await place();
    const group = await grant(app.store, 'vera', ['READ'], [kapsule]);
    const ofGroup = lock({ conditions: [{ on: 'group', groupIds: [group] }] });
    expect((await put(admin, [ofGroup])).status).toBe(200);
    await app.store.groups.patch(group, { kapsuleIds: [] });
    expect((await put(admin, [ofGroup, lock({ name: 'Other' })])).status).toBe(200);
    expect((await put(admin, [{ ...ofGroup, mayEnter: true }])).status).toBe(400);
  });

  it('that only the owner opens are not changed or taken away by others, nor deleted with the kapsule', async () => {
    const vera = await shared.app.asUser('vera');
    const otto = await shared.app.asUser('otto');
    const { app, admin, kapsule, id, put } = await place({ owner: 'vera' });
    await grant(app.store, 'otto', ['DELETE'], [kapsule]);
    const mine = lock({ name: 'Mine', openers: 'OWNER' });
    expect((await put(otto, [mine])).status).toBe(200);
    for (const weaker of [[], [{ ...mine, mayEnter: true }], [{ ...mine, openers: 'DELETE' }], [lock()]])
      expect([weaker, (await put(otto, weaker)).status]).toEqual([weaker, 403]);
    expect((await put(otto, [lock(), mine])).status).toBe(200);
    const remove = (caller: Caller) =>
      caller.call('DELETE', '/api/kapsule/sql', { body: { kapsuleIds: [id], deleteTable: false } });
    expect((await remove(otto)).body).toMatchObject({ code: 'DELETE_REFUSED' });
    expect((await put(vera, [{ ...mine, mayEnter: true }])).status).toBe(200);
    expect((await put(admin, [])).status).toBe(200);
    expect((await remove(otto)).status).toBe(200);
  });

  it('keep the fields that they name, and go with a kapsule that is deleted and restored', async () => {
    const { app, admin, id, path, put } = await place();
    await put(admin, [lock({ fields: ['Amount'] })]);
    const change = (names: Field[]) =>
      admin.call('PUT', path, {
        body: {
          name: `Changed ${id}`,
          table: '',
          keyField: 'id',
          fields: names.map(({ _id, ...rest }) => rest),
        },
      });
    const [period, amount, talk] = fields as [Field, Field, Field];
    expect((await change([period, talk])).body).toMatchObject({
      statusCode: 400,
      message: 'The lock October: there is no field "Amount".',
    });
    expect((await change([{ ...period, type: 'list' }, amount, talk])).status).toBe(400);
    expect((await change([talk, amount, period, { _id: '', name: 'More', type: 'text' }])).status).toBe(200);
    await admin.call('DELETE', '/api/kapsule/sql', { body: { kapsuleIds: [id], deleteTable: false } });
    expect((await admin.post(`/api/kapsule/deleted/${id}/restore`, {})).status).toBe(200);
    expect((await app.store.kapsules.get(id))?.locks).toEqual([lock({ fields: ['Amount'] })]);
  });
});

describe('a .kap file', () => {
  const parsed = ({ text }: TestAnswer) =>
    JSON.parse(text) as { version: number; kapsule: { locks?: Lock[] } };

  it('has the locks that mean the same elsewhere, in a version that earlier services refuse', async () => {
    const { app, admin, kapsule, id, put } = await place();
    const group = await grant(app.store, 'vera', ['READ'], [kapsule]);
    const groups = lock({ name: 'Groups', conditions: [{ on: 'group', groupIds: [group] }] });
    const exported = async (more = '') =>
      parsed(await admin.get(`/api/kapsule/export/kapsule?kapsuleId=${id}${more}`));
    await put(admin, [groups]);
    expect(await exported()).toMatchObject({ version: 2, kapsule: { name: kapsule.name } });
    await put(admin, [lock(), groups]);
    const file = await exported();
    expect([file.version, file.kapsule.locks]).toEqual([3, [lock()]]);
    expect((await exported('&earlier=true')).kapsule.locks).toBeUndefined();

    const take = (path: string, content: object) =>
      upload(admin, path, [{ name: 'a.kap', content: JSON.stringify(content) }]);
    const named = (name: string) => ({ ...file, kapsule: { ...file.kapsule, name } });
    const [made] = (await take('/api/kapsule/import/kapsules', named(`Copy ${id}`))).body as unknown as {
      kapsuleId: string;
    }[];
    expect((await app.store.kapsules.get(made?.kapsuleId ?? ''))?.locks).toEqual([lock()]);
    const wrong = { ...named(`Wrong ${id}`), kapsule: { ...file.kapsule, locks: [groups] } };
    expect((await take('/api/kapsule/import/kapsules', wrong)).text).toContain('on fields and times only');

    const locksNow = async () => (await app.store.kapsules.get(id))?.locks;
    const over = `/api/kapsule/import/kapsule/${id}`;
    expect((await take(over, { ...file, version: 2 })).status).toBe(200);
    expect(await locksNow()).toEqual([lock(), groups]);
    const other = { ...file, kapsule: { ...file.kapsule, locks: [lock({ name: 'Other' })] } };
    expect((await take(over, other)).status).toBe(200);
    expect(await locksNow()).toEqual([groups, lock({ name: 'Other' })]);
    const entries = await actionsOn(app.store, 'kapsule', id);
    expect(entries.at(-1)).toMatchObject({ action: 'kapsule.replace', before: { locks: [lock(), groups] } });
  });

  it('takes no lock away that only the owner opens', async () => {
    const { app, admin, kapsule, id, put } = await place();
    const otto = await app.asUser('otto');
    await grant(app.store, 'otto', ['DELETE'], [kapsule]);
    await put(admin, [lock({ openers: 'OWNER' })]);
    const bound = { name: 'x', table: '', keyField: 'id' };
    const content = (version: number) =>
      JSON.stringify({
        format: 'kap',
        version,
        kapsule: { ...bound, fields: fields.map(({ name, type }) => ({ name, type })) },
      });
    const take = (version: number) =>
      upload(otto, `/api/kapsule/import/kapsule/${id}`, [{ name: 'a.kap', content: content(version) }]);
    expect((await take(3)).status).toBe(403);
    expect((await take(1)).status).toBe(200);
    expect((await app.store.kapsules.get(id))?.locks).toEqual([lock({ openers: 'OWNER' })]);
  });
});

describe('a lock with conditions on persons, groups and times', () => {
  it('is told to each as they meet it, and closes rows to them alone', async () => {
    const { app, admin, kapsule, path, put, save } = await place();
    const [vera, otto] = [await app.asUser('vera'), await app.asUser('otto')];
    const group = await grant(app.store, 'vera', ['WRITE'], [kapsule]);
    await grant(app.store, 'otto', ['WRITE'], [kapsule]);
    const conditions: Lock['conditions'] = [{ on: 'group', groupIds: [group] }];
    await put(admin, [lock({ name: 'All but vera', closes: 'unless', conditions })]);
    const seenBy = async (caller: Caller) => (await caller.get(`${path}/fields`)).body['locks'];
    expect(await seenBy(vera)).toEqual([]);
    expect(await seenBy(otto)).toEqual([{ name: 'All but vera', closes: 'when', conditions: [] }]);
    const change = (Amount: number) => ({ key: 'open', data: { ...rows.open, Amount } });
    expect((await save(vera, change(2))).status).toBe(200);
    expect(closedIn(await save(otto, change(3)))).toEqual(closed(['open', 'Amount']));

    await put(admin, [lock({ conditions: [{ on: 'person', usernames: ['vera'] }] })]);
    expect(closedIn(await save(vera, change(4)))).toEqual(closed(['open', 'Amount']));
    expect((await save(otto, change(4))).status).toBe(200);

    await put(admin, [lock({ conditions: [{ on: 'time', is: 'after', at: '2000-01-01' }] })]);
    expect(await seenBy(vera)).toEqual([{ name: 'October', closes: 'when', conditions: [] }]);
    expect(closedIn(await save(otto, change(5)))).toEqual(closed(['open', 'Amount']));
    await put(admin, [lock({ conditions: [{ on: 'time', is: 'before', at: '2000-01-01' }] })]);
    expect((await save(otto, change(5))).status).toBe(200);
  });
});
