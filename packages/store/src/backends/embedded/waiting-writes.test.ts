import { expect, it } from 'vitest';
import { packed } from '../../testing/packed.ts';
import { anAuditEntry, someGranules } from '../../testing/samples.ts';
import { openEmbeddedStore } from './open.ts';
import { temporaryFile } from './testing/temporary-file.ts';

const ROWS = 6_000;

it.each([
  { given: 'packed rows', rows: () => packed(someGranules(ROWS)) },
  { given: 'rows', rows: () => someGranules(ROWS) },
])(
  'lets saves run between the rows of one batch of an import of $given, and stores all rows',
  async ({ rows }) => {
    const store = await openEmbeddedStore({ file: temporaryFile() });
    const state = { isOver: false, saves: 0 };
    const importing = store.granules
      .importAll('imported', rows(), async () => undefined)
      .finally(() => {
        state.isOver = true;
      });
    while (!state.isOver) {
      const row = { key: `save ${state.saves}`, user: 'ann', data: {} };
      const entry = anAuditEntry('granule.upsert', { target: row.key });
      await store.save({ kapsuleId: 'saved', rows: [row], dependsOn: [], entry });
      state.saves += 1;
    }
    expect(await importing).toBe(ROWS);
    expect(await store.granules.counts('imported')).toMatchObject({ total: ROWS });
    // A batch of 1,000 rows that runs to its end would let one or two saves run after it.
    expect(state.saves).toBeGreaterThan(20);
    await store.close();
  },
);
