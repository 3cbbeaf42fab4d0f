import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { qvdBytes, send } from '../../testing/qvd.ts';
import { closed, closedIn, lock, lockedPlace, rows } from './testing/locked-place.ts';

const shared = appOfFile();
const place = (change?: { owner?: string }) => lockedPlace(shared, change);

describe('a closed row', () => {
  it('is refused by a save with key, field and rule, and nothing is stored', async () => {
    const { admin, put, save, stored } = await place();
    await put(admin, [lock()]);
    const changed = await save(
      admin,
      { key: 'open', data: { ...rows.open, Amount: 5 } },
      { key: 'shut', data: { ...rows.shut, Amount: 5 } },
      { key: 'new', data: { Period: '2026-09' } },
    );
    expect(closedIn(changed)).toEqual(closed(['shut', 'Amount'], ['new', 'Period']));
    expect(changed.body.message).toContain('The record "shut": Amount is closed: October.');
    expect((await stored('open'))?.data).toEqual(rows.open);
    const carried = await save(admin, { key: 'open', data: { ...rows.open, Period: '2026-10' } });
    expect(closedIn(carried)).toEqual(closed(['open', 'Period']));
    expect((await save(admin, { key: 'open', data: { ...rows.open, Amount: 5 } })).status).toBe(200);
    const { version, user } = (await stored('shut')) ?? {};
    expect((await save(admin, { key: 'shut', data: rows.shut })).status).toBe(200);
    expect(await stored('shut')).toMatchObject({ version, user, data: rows.shut });
  });

  it('is refused by the second row of a key as by the first', async () => {
    const { admin, put, save } = await place();
    await put(admin, [lock()]);
    const twice = await save(
      admin,
      { key: 'twice', data: { Period: '2026-11' } },
      { key: 'twice', data: { Period: '2026-10' } },
    );
    expect(closedIn(twice)).toEqual(closed(['twice', 'Period']));
  });

  it('is not deleted, by id, by key or by a filter, and none of the others with it', async () => {
    const { admin, path, put, stored, idOf } = await place();
    await put(admin, [lock()]);
    const both = [await idOf('open'), await idOf('shut')];
    const byIds = await admin.call('DELETE', '/api/kapsule/sql/granules', { body: { granuleIds: both } });
    expect(closedIn(byIds)).toEqual(closed(['shut', '']));
    expect(byIds.body.message).toBe('The record "shut": It is closed: October.');
    const remove = (body: object) => admin.call('DELETE', `${path}/granules`, { body });
    expect(closedIn(await remove({ keys: ['open', 'shut'] }))).toEqual(closed(['shut', '']));
    expect(closedIn(await remove({ q: '2026', expected: 2 }))).toEqual(closed(['shut', '']));
    expect(await stored('open')).not.toBeNull();
    expect((await remove({ keys: ['open', 'none'] })).body).toEqual({ deleted: 1 });
  });

  it('is not restored into a closed period, by id or by a filter, but where rows may enter', async () => {
    const { admin, id, path, put, stored, idOf } = await place();
    const ids = [await idOf('open'), await idOf('shut')];
    await admin.call('DELETE', `${path}/granules`, { body: { keys: ['open', 'shut'] } });
    await put(admin, [lock()]);
    const restore = (granuleIds: string[]) => admin.post(`${path}/granules/restore`, { granuleIds });
    expect(closedIn(await restore(ids))).toEqual(closed(['shut', 'Period'], ['shut', 'Amount']));
    expect((await admin.post(`${path}/granules/restore-matching`, { expected: 2 })).status).toBe(400);
    expect(await stored('open')).toBeNull();
    expect((await restore(ids.slice(0, 1))).body).toEqual({ restored: 1 });
    await put(admin, [lock({ mayEnter: true })]);
    expect((await restore(ids.slice(1))).body).toEqual({ restored: 1 });
    expect(await stored('shut')).toMatchObject({ version: 2, data: rows.shut });
    expect((await shared.app.store.granules.counts(id)).total).toBe(2);
  });

  it('keeps its comments, unless comments may be entered', async () => {
    const { admin, path, put } = await place();
    const [first, second] = ['aaaaaaaa1111', 'aaaaaaaa2222'];
    const address = { key: 'shut', field: 'Talk' };
    const add = (id: string, key = 'shut') =>
      admin.post(`${path}/granules/thread`, { ...address, key, id, text: 'a comment' });
    expect((await add(first)).status).toBe(200);
    await put(admin, [lock()]);
    const refused = closed(['shut', 'Talk']);
    const edit = () =>
      admin.call('PUT', `${path}/granules/thread`, {
        body: { ...address, id: first, text: 'another', was: 'a comment' },
      });
    const remove = () => admin.call('DELETE', `${path}/granules/thread`, { body: { ...address, id: first } });
    for (const call of [() => add(second), edit, remove]) expect(closedIn(await call())).toEqual(refused);
    expect((await add(second, 'open')).status).toBe(200);
    expect((await add(second, 'brand new')).status).toBe(200);
    await put(admin, [lock({ mayEnter: true })]);
    expect((await add(second)).status).toBe(200);
    for (const call of [edit, remove]) expect(closedIn(await call())).toEqual(refused);
    await put(admin, [lock({ fields: ['Amount'] })]);
    expect((await edit()).status).toBe(200);
  });

  it('is counted in the preview of an import and refused in the import, which may take the others', async () => {
    const { admin, id, put, stored } = await place();
    await put(admin, [lock()]);
    const file = {
      name: 'a.qvd',
      content: qvdBytes(
        ['id', 'Period', 'Amount'],
        [
          ['open', '2026-11', 2],
          ['shut', '2026-10', 2],
          ['late', '2026-09', 1],
          ['new', '2026-12', 1],
        ],
      ),
    };
    const same = {
      name: 'same.qvd',
      content: qvdBytes(['id', 'Period', 'Amount'], [['shut', '2026-10', 1]]),
    };
    const refused = [
      { field: 'Amount', rule: 'closed', count: 2 },
      { field: 'Period', rule: 'closed', count: 1 },
    ];
    const preview = await send(admin, id, [file], '&dryRun=true');
    expect(preview.body).toMatchObject({
      files: [{ rows: 2, refused: { rows: 2, rules: refused }, changes: { new: 1, changed: 1 } }],
    });
    expect(closedIn(await send(admin, id, [file]))).toEqual(
      closed(['shut', 'Amount'], ['late', 'Period'], ['late', 'Amount']),
    );
    expect((await send(admin, id, [file], '&goodRowsOnly=true')).status).toBe(200);
    expect([(await stored('open'))?.data, await stored('late')]).toEqual([
      { Period: '2026-11', Amount: 2 },
      null,
    ]);
    const before = await stored('shut');
    expect((await send(admin, id, [same])).status).toBe(200);
    expect(await stored('shut')).toEqual(before);
  });
});
