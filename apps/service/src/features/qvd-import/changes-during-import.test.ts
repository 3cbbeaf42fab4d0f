import { type PackedBatch, PackedRows } from '@kaptain/store';
import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import type { Caller, TestAnswer } from '../../testing/caller.ts';
import { actionsOn, addKapsule } from '../../testing/kapsules.ts';
import { upload } from '../../testing/multipart.ts';
import { qvdBytes } from '../../testing/qvd.ts';
import type { TestApp } from '../../testing/test-app.ts';

// Two batches: the import is held after the first one.
const rows = Array.from({ length: 1_500 }, (_, place) => [String(place), `comment ${place}`]);
const content = qvdBytes(['id', 'comment'], rows);

/** Starts an import and runs `work` when the store has its first batch of rows, and before it gets the second one. */
async function during(
  { store: { granules } }: TestApp,
  caller: Caller,
  id: string,
  work: () => Promise<unknown>,
): Promise<TestAnswer> {
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
  const file = { name: 'a.qvd', field: 'files[]', content };
  const importing = upload(caller, `/api/kapsule/import/qvd/data?kapsuleId=${id}`, [file]);
  await isHeld;
  granules.importAll = importAll;
  await work();
  resolve();
  return importing;
}

const shared = appOfFile();

describe('during an import', () => {
  it('the deletion of the kapsule ends the import with 409, and none of its rows becomes visible', async () => {
    const { app, admin } = shared;
    const vera = await app.asUser('vera');
    const { id } = await addKapsule(app.store, 'Deleted', { owner: 'vera' });
    const remove = { body: { kapsuleIds: [id], deleteTable: false } };
    const { status, body } = await during(app, vera, id, async () => {
      expect((await admin.call('DELETE', '/api/kapsule/sql', remove)).status).toBe(200);
    });
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
    const fields = [{ name: 'comment', type: 'number' }];
    const kap = JSON.stringify({
      format: 'kap',
      version: 1,
      kapsule: { name: 'Restructured', keyField: 'id', fields },
    });
    const { status, body } = await during(app, admin, id, async () => {
      const file = { name: 'a.kap', content: kap };
      expect((await upload(admin, `/api/kapsule/import/kapsule/${id}`, [file])).status).toBe(200);
    });
    expect([status, body.message]).toEqual([
      409,
      'The structure of Restructured was replaced while the files were imported. Nothing was stored: please import them again.',
    ]);
    expect((await app.store.granules.counts(id)).total).toBe(0);
    const good = { name: 'a.qvd', field: 'files[]', content: qvdBytes(['id', 'comment'], [['1', 2]]) };
    expect((await upload(admin, `/api/kapsule/import/qvd/data?kapsuleId=${id}`, [good])).status).toBe(200);
  });
});
