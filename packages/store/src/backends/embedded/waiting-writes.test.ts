import { expect, it, onTestFinished, vi } from 'vitest';
import type { PackedRows } from '../../packed-rows.ts';
import { packed } from '../../testing/packed.ts';
import { anAuditEntry, someGranules } from '../../testing/samples.ts';
import { toRow } from '../shared/granule-row.ts';
import { Connection } from './connection.ts';
import { executeOnGranules, type GranuleMethod } from './granules/commands.ts';
import { receiveRows } from './granules/import.ts';
import { openEmbeddedStore } from './open.ts';
import { temporaryFile } from './testing/temporary-file.ts';
import { Thread } from './thread.ts';
import { setWaitingWrites, WaitingWrites } from './waiting-writes.ts';

const ROWS = 6_000;

type Command = { kind: string; method?: GranuleMethod };

async function firstBatch(rows: PackedRows): Promise<Uint8Array> {
  for await (const { bytes } of rows.batches) return bytes;
  throw new Error('There is no batch.');
}

it.each([
  { given: 'packed rows', batch: () => firstBatch(packed(someGranules(ROWS))) },
  { given: 'rows', batch: async () => [...someGranules(ROWS)].map(toRow) },
])(
  'stops storing $given of an import for a write that waits, and stores the rest later',
  async ({ batch }) => {
    const file = temporaryFile();
    await (await openEmbeddedStore({ file })).close();
    const connection = new Connection(file, { readOnly: false, busyMs: 0 });
    const waiting = new WaitingWrites();
    setWaitingWrites(waiting.shared);
    onTestFinished(() => setWaitingWrites(new WaitingWrites().shared));
    const call = (method: GranuleMethod) =>
      connection.atomically(() => executeOnGranules(connection, method, ['kapsule', 'import']));
    call('beginImport');
    const write = waiting.wait();
    receiveRows(connection, 'import', await batch());
    const left = call('stageRows');
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(ROWS);
    const later = call('stageRows');
    expect(later).toBeLessThan(left as number);
    write.start();
    expect(call('stageRows')).toBe(0);
    call('publishImport');
    connection.close();
    const store = await openEmbeddedStore({ file });
    expect(await store.granules.counts('kapsule')).toMatchObject({ total: ROWS });
    await store.close();
  },
);

it.each([
  { given: 'packed rows', rows: () => packed(someGranules(ROWS)) },
  { given: 'rows', rows: () => someGranules(ROWS) },
])('splits an import of $given for saves, and stores all of both', async ({ rows }) => {
  const sent = vi.spyOn(Thread.prototype, 'send');
  onTestFinished(() => sent.mockRestore());
  const count = (isCounted: (command: Command) => boolean) =>
    sent.mock.calls.filter(([command]) => isCounted(command as Command)).length;
  const isSplit = () =>
    count(({ method }) => method === 'stageRows') > count(({ kind }) => kind === 'receive');
  const store = await openEmbeddedStore({ file: temporaryFile() });
  let saves = 0;
  // A machine may be so busy that no save waits during a whole import; it never ends when none is ever split.
  for (let round = 0; !isSplit(); round += 1) {
    const state = { isOver: false };
    const importing = store.granules
      .importAll(`imported ${round}`, rows(), async () => undefined)
      .finally(() => {
        state.isOver = true;
      });
    for (; !state.isOver; saves += 1) {
      const row = { key: `save ${saves}`, user: 'ann', data: {} };
      const entry = anAuditEntry('granule.upsert', { target: row.key });
      await store.save({ kapsuleId: 'saved', rows: [row], dependsOn: [], entry });
    }
    expect(await importing).toBe(ROWS);
    expect(await store.granules.counts(`imported ${round}`)).toMatchObject({ total: ROWS });
  }
  expect(await store.granules.counts('saved')).toMatchObject({ total: saves });
  await store.close();
});
