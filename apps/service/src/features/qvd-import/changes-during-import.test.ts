import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Caller, TestAnswer } from '../../testing/caller.ts';
import { addKapsule } from '../../testing/kapsules.ts';
import { upload } from '../../testing/multipart.ts';
import { qvdBytes } from '../../testing/qvd.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

const rows = Array.from({ length: 25_000 }, (_, place) => [String(place), `comment ${place}`]);
const content = qvdBytes(['id', 'comment'], rows);

/** Starts an import and runs `work` when its file has arrived and the store has changed: storing all 25,000 rows takes a second. */
async function during(
  app: TestApp,
  caller: Caller,
  id: string,
  work: () => Promise<unknown>,
): Promise<TestAnswer> {
  const folder = join(app.folder, 'tmp');
  const arrived = () =>
    existsSync(folder) ? readdirSync(folder).map((name) => statSync(join(folder, name)).size) : [];
  // This mark of all data changes with every commit, also with rows that are not visible yet.
  const mark = await app.store.changeMark();
  const file = { name: 'a.qvd', field: 'files[]', content };
  const importing = upload(caller, `/api/kapsule/import/qvd/data?kapsuleId=${id}`, [file]);
  await expect.poll(arrived, { interval: 5 }).toEqual([content.length]);
  await expect.poll(() => app.store.changeMark(), { interval: 5 }).not.toBe(mark);
  await work();
  return importing;
}

describe('during an import', () => {
  it('the deletion of the kapsule ends the import with 409, and none of its rows becomes visible', async () => {
    await using app = await testApp();
    const [admin, vera] = [await app.asAdmin(), await app.asUser('vera')];
    const { id } = await addKapsule(app.store, 'Sales', { owner: 'vera' });
    const remove = { body: { kapsuleIds: [id], deleteTable: false } };
    const { status, body } = await during(app, vera, id, async () => {
      expect((await admin.call('DELETE', '/api/kapsule/sql', remove)).status).toBe(200);
    });
    expect([status, body.code, body.message]).toEqual([
      409,
      'CONFLICT',
      'Sales was deleted while the files were imported. Nothing was stored.',
    ]);
    expect((await app.store.granules.counts(id)).total).toBe(0);
    expect((await app.store.audit.all()).map(({ action }) => action)).not.toContain('granule.import');
  });

  it('another structure of the kapsule ends the import, and its rows do not become visible', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const { id } = await addKapsule(app.store, 'Sales');
    const fields = [{ name: 'comment', type: 'number' }];
    const kap = JSON.stringify({
      format: 'kap',
      version: 1,
      kapsule: { name: 'Sales', keyField: 'id', fields },
    });
    const { status, body } = await during(app, admin, id, async () => {
      const file = { name: 'a.kap', content: kap };
      expect((await upload(admin, `/api/kapsule/import/kapsule/${id}`, [file])).status).toBe(200);
    });
    expect([status, body.message]).toEqual([
      409,
      'The structure of Sales was replaced while the files were imported. Nothing was stored: please import them again.',
    ]);
    expect((await app.store.granules.counts(id)).total).toBe(0);
    const good = { name: 'a.qvd', field: 'files[]', content: qvdBytes(['id', 'comment'], [['1', 2]]) };
    expect((await upload(admin, `/api/kapsule/import/qvd/data?kapsuleId=${id}`, [good])).status).toBe(200);
  });
});
