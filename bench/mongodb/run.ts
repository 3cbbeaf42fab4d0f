import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, openEmbeddedStore, openMongoStore, type Store } from '@kaptain/store';
import { aKapsule, anAuditEntry } from '../../packages/store/src/testing/samples.ts';
import { startMongodb } from '../../tools/test-servers/mongodb.ts';
import { comments } from '../granules-store/rows.ts';
import { timed } from '../granules-store/watch.ts';

/**
 * The same work on MongoDB and on the embedded store, one row for each; no goals, because the server decides. It says
 * which one that was: only a real mongod (on the PATH, or TEST_MONGODB_URI) tells anything about production.
 * KAPTAIN_BENCH_ROWS makes it larger or smaller.
 */
const ROWS = Number(process.env['KAPTAIN_BENCH_ROWS'] ?? 20_000);
const CALLS = 200;

async function perCall(calls: number, work: (n: number) => Promise<unknown>): Promise<string> {
  const ms = await timed(async () => {
    for (let n = 0; n < calls; n += 1) await work(n);
  });
  return `${(ms / calls).toFixed(2)} ms`;
}

async function measure(store: Store): Promise<Record<string, string>> {
  const owner = newId();
  for (let n = 0; n < 200; n += 1) await store.kapsules.insert(aKapsule(`k${n}`, owner));
  const rate = (ms: number) => `${Math.round((ROWS / ms) * 1000)} rows/s`;
  const kapsule = newId();
  const query = { sort: 'key', descending: false, offset: 0, limit: 50 } as const;
  return {
    'bulk upsert': rate(await timed(() => store.granules.bulkUpsert(kapsule, comments(ROWS, 'ORD')))),
    'import in one piece': rate(
      await timed(() => store.granules.importAll(newId(), comments(ROWS, 'IMP'), async () => undefined)),
    ),
    'reach of 200 kapsules': await perCall(CALLS, () => store.reachOf(owner)),
    'unit of work with audit entry': await perCall(CALLS, () =>
      store.transaction((unit) => unit.audit.insert(anAuditEntry('bench'))),
    ),
    'first page': await perCall(20, () => store.granules.page(kapsule, query)),
    'search for a rare word': await perCall(5, () =>
      store.granules.page(kapsule, { ...query, q: String(ROWS - 1) }),
    ),
  };
}

const server = await startMongodb();
const folder = mkdtempSync(join(tmpdir(), 'kaptain-bench-'));
const stores = {
  [`MongoDB (${server.kind})`]: await openMongoStore({ ...server.config, database: `bench-${newId()}` }),
  embedded: await openEmbeddedStore({ file: join(folder, 'kaptain.db') }),
};
try {
  for (const [name, store] of Object.entries(stores)) {
    console.log(`  ${name}, ${ROWS} rows`);
    for (const [label, figure] of Object.entries(await measure(store)))
      console.log(`    ${label}: ${figure}`);
  }
} finally {
  for (const store of Object.values(stores)) await store.close();
  await server.stop();
  rmSync(folder, { recursive: true });
}
