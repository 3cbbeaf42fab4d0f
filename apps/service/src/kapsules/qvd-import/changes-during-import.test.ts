import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PackedBatch, PackedRows } from '@kaptain/store';
import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { actionsOn, addKapsule } from '../../testing/kapsules.ts';
import { multipart, upload } from '../../testing/multipart.ts';
import { good, qvdBytes, send } from '../../testing/qvd.ts';
import { listenLocally } from '../../testing/raw-socket.ts';
import type { TestApp } from '../../testing/test-app.ts';

// Two batches: the import is held after the first one.
const rows = Array.from({ length: 1_500 }, (_, index) => [String(index), `comment ${index}`]);
const content = qvdBytes(['id', 'comment'], rows);

/** Starts an import and runs `work` when the store has its first batch of rows, and before it gets the second one. */
async function during<T>(
  { store: { granules } }: TestApp,
  start: () => Promise<T>,
  work: () => Promise<unknown>,
): Promise<T> {
  const { promise: isDone, resolve } = Promise.withResolvers<void>();
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
  async function* held(batches: AsyncIterable<PackedBatch>) {
    for await (const batch of batches) {
      yield batch;
      hold();
      await isDone;
    }
  }
  const importAll = granules.importAll.bind(granules);
  granules.importAll = (kapsuleId, given, audit) => {
    if (!(given instanceof PackedRows)) throw new Error('The rows of a QVD file are packed.');
    return importAll(kapsuleId, new PackedRows(held(given.batches)), audit);
  };
  const importing = start();
  await isHeld;
  granules.importAll = importAll;
  await work();
  resolve();
  return importing;
}

const file = { name: 'a.qvd', content };
const shared = appOfFile();

describe('during an import', () => {
  it('the deletion of the kapsule ends the import with 409, and none of its rows becomes visible', async () => {
    const { app, admin } = shared;
    const vera = await app.asUser('vera');
    const { id } = await addKapsule(app.store, 'Deleted', { owner: 'vera' });
    const remove = { body: { kapsuleIds: [id], deleteTable: false } };
    const { status, body } = await during(
      app,
      () => send(vera, id, [file]),
      async () => {
        expect((await admin.call('DELETE', '/api/kapsule/sql', remove)).status).toBe(200);
      },
    );
    expect([status, body.code, body.message]).toEqual([
      409,
      'CONFLICT',
      'Deleted was deleted while the files were imported. Nothing was stored.',
    ]);
    expect((await app.store.granules.counts(id)).total).toBe(0);
    const actions = (await actionsOn(app.store, 'kapsule', id)).map(({ action }) => action);
    expect(actions).toContain('kapsule.remove');
    expect(actions).not.toContain('granule.import');
  });

  it('another structure of the kapsule ends the import, and its rows do not become visible', async () => {
    const { app, admin } = shared;
    const { id } = await addKapsule(app.store, 'Restructured');
    const fields = [{ name: 'comment', type: 'list' }];
    const kap = JSON.stringify({
      format: 'kap',
      version: 1,
      kapsule: { name: 'Restructured', keyField: 'id', fields },
    });
    const { status, body } = await during(
      app,
      () => send(admin, id, [file]),
      async () => {
        const file = { name: 'a.kap', content: kap };
        expect((await upload(admin, `/api/kapsule/import/kapsule/${id}`, [file])).status).toBe(200);
      },
    );
    expect([status, body.message]).toEqual([
      409,
      'The structure of Restructured was replaced while the files were imported. Nothing was stored: please import them again.',
    ]);
    expect((await app.store.granules.counts(id)).total).toBe(0);
    expect((await send(admin, id, [good])).status).toBe(200);
  });

  it('a lock that closes the kapsule ends the import, and its rows do not become visible', async () => {
    const { app, admin } = shared;
    const { id } = await addKapsule(app.store, 'Locked meanwhile');
    const locks = [{ name: 'All', closes: 'when', conditions: [], openers: 'DELETE' }];
    const { status, body } = await during(
      app,
      () => send(admin, id, [file]),
      async () => {
        expect((await admin.call('PUT', `/api/kapsule/${id}/locks`, { body: { locks } })).status).toBe(200);
      },
    );
    expect([status, body.message]).toEqual([
      409,
      'The locks of Locked meanwhile were changed while the files were imported. Nothing was stored: please import them again.',
    ]);
    expect((await app.store.granules.counts(id)).total).toBe(0);
  });

  it('a save of a row that was checked beside the stored one refuses the import', async () => {
    const { app, admin } = shared;
    const { id } = await addKapsule(app.store, 'Raced', {
      fields: [{ _id: '1', name: 'comment', type: 'text', max: 20 }],
    });
    const long = 'x'.repeat(30);
    await app.store.granules.upsert(id, [{ key: '0', user: 'u', data: { comment: long } }]);
    // Its value is too long, and allowed because it is stored.
    const content = qvdBytes(['id', 'comment'], [['0', long], ...rows.slice(1)]);
    const { status, body } = await during(
      app,
      () => send(admin, id, [{ name: 'a.qvd', content }]),
      () => app.store.granules.upsert(id, [{ key: '0', user: 'u', data: { comment: 'short' } }]),
    );
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
    const [granule] = await app.store.granules.lookup(id, ['0']);
    expect(granule?.data).toEqual({ comment: 'short' });
    expect((await app.store.granules.counts(id)).total).toBe(1);
  });

  it('a client that disconnects ends it; no row becomes visible, and no file stays behind', async () => {
    const { app, admin } = shared;
    const { id } = await addKapsule(app.store, 'Left');
    const { body, headers } = multipart([{ field: 'files[]', ...file }]);
    const controller = new AbortController();
    const url = `http://127.0.0.1:${await listenLocally(app.http)}/api/kapsule/import/qvd/data?kapsuleId=${id}`;
    const start = () =>
      fetch(url, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${admin.token}` },
        body: new Uint8Array(body),
        signal: controller.signal,
      }).catch(String);
    const connections = () => promisify(app.http.server.getConnections.bind(app.http.server))();
    const uploaded = () => readdirSync(join(app.folder, 'tmp'));
    const answer = await during(app, start, async () => {
      expect(uploaded()).toHaveLength(1);
      controller.abort();
      await expect.poll(connections).toBe(0);
    });
    expect(answer).toContain('abort');
    await expect.poll(uploaded).toEqual([]);
    expect((await app.store.granules.counts(id)).total).toBe(0);
  });
});
