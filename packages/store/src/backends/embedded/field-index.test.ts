import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import type { GranulePageQuery } from '../../granules.ts';
import { ScanBudget } from '../shared/scan-budget.ts';
import { FIELD_INDEX_UNUSED_MS } from '../shared/tuning.ts';
import { Connection } from './connection.ts';
import { BEHIND } from './granules/index-fields.ts';
import { readPage } from './granules/page.ts';
import { openEmbeddedStore } from './open.ts';
import { countIn, untilEmpty } from './testing/looking-inside.ts';
import { temporaryFile } from './testing/temporary-file.ts';

const ROWS = 5_100;
const TABLES = `sqlite_schema WHERE type = 'table' AND name GLOB 'granule_field_[0-9]*'`;
const page = { sort: 'key', descending: false, offset: 0, limit: 10 } as const;
const few: GranulePageQuery = {
  ...page,
  where: [{ field: 'n', type: 'number', is: 'between', from: ROWS - 3 }],
};
const sorted: GranulePageQuery = { ...page, sortField: { name: 'n', type: 'number' }, descending: true };

it('ends a scan in time and says that it is partial, until the index is there; drops one that is not used', async () => {
  const file = temporaryFile();
  const store = await openEmbeddedStore({ file });
  const rows = Array.from({ length: ROWS }, (_, n) => ({
    key: String(10_000 + n),
    user: 'ann',
    data: { n },
  }));
  await store.granules.bulkUpsert('k', rows);
  const connection = new Connection(file, { readOnly: true, busyMs: 2_000 });
  /** As in a kapsule so large that the time is over after the first rows. */
  const inNoTime = (query: GranulePageQuery) =>
    connection.snapshot(() => readPage(connection, 'k', query, new ScanBudget(-1, 0)));
  expect(inNoTime(few)).toMatchObject({ rows: [], total: 0, totalIsExact: false, isPartial: true });
  expect(inNoTime(sorted)).toMatchObject({ total: ROWS, totalIsExact: true, isPartial: true });

  await store.granules.page('k', few);
  await untilEmpty(file, `(SELECT 1 WHERE (SELECT count(*) FROM granule_field_indexes) <> 1)`, `(${BEHIND})`);
  const found = inNoTime(few);
  expect(found).toMatchObject({ total: 3, totalIsExact: true, isPartial: false });
  const last = inNoTime(sorted);
  expect(last).toMatchObject({ total: ROWS, totalIsExact: true, isPartial: false });
  const keys = last.rows.map(({ key }) => key);
  expect(keys).toEqual(
    rows
      .toReversed()
      .slice(0, 10)
      .map(({ key }) => key),
  );
  connection.close();

  // Counted before it is unused: the store may look for unused ones at any time.
  expect(countIn(file, TABLES)).toBe(1);
  const outside = new DatabaseSync(file, { timeout: 5_000 });
  outside.prepare('UPDATE granule_field_indexes SET usedAt = ?').run(Date.now() - FIELD_INDEX_UNUSED_MS - 1);
  outside.close();
  await store.granules.upsert(
    'k',
    rows.slice(0, 1).map((row) => ({ ...row, data: {} })),
  );
  await untilEmpty(file, 'granule_field_indexes', TABLES);
  await store.close();
});
