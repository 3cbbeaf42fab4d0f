import type { DatabaseKind } from './databases/database.ts';
import { type Caller, get, write } from './kit/client.ts';
import { newKapsule, untilIndexed } from './kit/kapsules.ts';
import { mixedRows, orderNo } from './kit/mixed.ts';
import { onDatabases } from './kit/on-databases.ts';
import { rowsOr } from './kit/options.ts';
import { besideOthers, Others } from './kit/others.ts';
import { processorTimes } from './kit/processor-time.ts';
import { figure, note } from './kit/report.ts';
import { startUploader } from './kit/service.ts';
import { timed } from './kit/times.ts';

/*
 * Imports of QVD files over HTTP: a million new keys beside another person's calls, a search right after, the time until the
 * search index is complete, a tenth as many known keys beside a writer and that person, and the same rows by the store alone.
 */
const ROWS = rowsOr(1_000_000);
const KNOWN = ROWS / 10;
const GOALS = { waitMs: 100, indexSeconds: 60 };
const WRITER_PAUSE_MS = 5;
/** The seconds for a million new keys, and the share of the store alone. */
const goals: Partial<Record<DatabaseKind, { seconds: number; toStore?: number }>> = {
  embedded: { seconds: 12, toStore: 0.4 },
  postgres: { seconds: 30 },
};

async function search(admin: Caller, id: string): Promise<void> {
  let found = 0;
  const path = `/api/kapsule/${id}/sql/read/internal?q=${orderNo(ROWS - 1)}&size=100`;
  const ms = await timed(async () => {
    found = (await get<{ total: number }>(admin, path)).total;
  });
  figure('rows that a search right after misses', 1 - found, {
    atMost: 0,
    unit: '',
    details: `${ms.toFixed(0)} ms`,
  });
}

function writerOf(admin: Caller, id: string): () => Promise<unknown> {
  let count = 0;
  return () => {
    count += 1;
    const granules = [{ key: `writer ${count}`, data: { Comment: `Comment ${count}` } }];
    return write(admin, 'PUT', `/api/kapsule/${id}/granules`, { granules });
  };
}

await onDatabases(
  { title: 'Imports', kinds: ['embedded', 'postgres'], size: `${ROWS} rows` },
  async (database, { admin, service, listKapsules }) => {
    const uploader = await startUploader(ROWS, KNOWN);
    const id = await newKapsule(admin, 'Imported');
    const upload = async () => {
      const { ms, failure } = await uploader.ask<{ ms: number; failure?: string }>({ caller: admin, id });
      if (failure) throw new Error(failure);
      return ms / 1000;
    };
    const pids = [service.pid, ...database.pids];
    const goal = goals[database.kind];
    const before = processorTimes(pids);
    const seconds = await besideOthers('an import of new keys', listKapsules, upload);
    const used = processorTimes(pids).map((ms, n) => `${((ms - (before[n] ?? 0)) / 1000).toFixed(1)} s`);
    figure('import of new keys', seconds, {
      atMost: goal && (goal.seconds * ROWS) / 1_000_000,
      unit: ' s',
      details: `${Math.round(ROWS / seconds)} rows/s; processor time of the service and the database ${used.join(', ')}`,
    });
    await search(admin, id);
    const indexSeconds = (await untilIndexed(database)) / 1000;
    figure('until the search index is complete', indexSeconds, { atMost: GOALS.indexSeconds, unit: ' s' });

    const writer = new Others(writerOf(admin, id), WRITER_PAUSE_MS);
    await writer.rest();
    const known = await besideOthers('an import of known keys', listKapsules, () => writer.during(upload()));
    note(`import of ${KNOWN} known keys`, `${known.toFixed(1)} s`);
    figure('longest save into the same kapsule meanwhile', Math.max(...writer.beside), {
      atMost: GOALS.waitMs,
      unit: ' ms',
      details: `${Math.max(...writer.idle).toFixed(0)} ms without the import`,
    });
    await uploader.stop('stop');
    await untilIndexed(database);
    const store = await database.open();
    const ms = await timed(() => store.granules.bulkUpsert('bare', mixedRows(ROWS)));
    await store.close();
    figure('import of new keys, share of the store', ms / 1000 / seconds, { atLeast: goal?.toStore });
  },
);
