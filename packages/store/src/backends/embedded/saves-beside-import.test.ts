import { expect, it } from 'vitest';
import { packed } from '../../testing/packed.ts';
import { anAuditEntry, someGranules } from '../../testing/samples.ts';
import { openEmbeddedStore } from './open.ts';
import { temporaryFile } from './testing/temporary-file.ts';

const ROWS = 6_000;

it.each([
  { given: 'packed rows', rows: () => packed(someGranules(ROWS)) },
  { given: 'rows', rows: () => someGranules(ROWS) },
])('stores all rows of an import of $given and all saves beside it', async ({ rows }) => {
  const store = await openEmbeddedStore({ file: temporaryFile() });
  let saves = 0;
  const state = { isOver: false };
  const importing = store.granules
    .importAll('imported', rows(), async () => undefined)
    .finally(() => {
      state.isOver = true;
    });
  for (; !state.isOver; saves += 1) {
    const row = { key: `save ${saves}`, user: 'ann', data: {} };
    const entry = anAuditEntry('granule.upsert', { target: row.key });
    await store.save({ kapsuleId: 'saved', rows: [row], dependsOn: [], entry });
  }
  expect(await importing).toBe(ROWS);
  expect(await store.granules.counts('imported')).toMatchObject({ total: ROWS });
  expect(await store.granules.counts('saved')).toMatchObject({ total: saves });
  await store.close();
});
