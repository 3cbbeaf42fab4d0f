import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { type GranulePageQuery, openEmbeddedStore, type Store } from '@kaptain/store';
import { verdict } from '../verdict.ts';
import { comments } from './rows.ts';
import { longestStall, median, p95, timed } from './watch.ts';

/**
 * Measures granules in the embedded store. Rounds alternate, so that other load slows both; prints medians and ratios.
 * KAPTAIN_BENCH_ROWS sets the number of rows. Exit code 1 when a goal is missed.
 */
const ROWS = Number(process.env['KAPTAIN_BENCH_ROWS'] ?? 1_000_000);
const SMALL = Math.min(10_000, ROWS / 10);
const BULK = Math.min(100_000, ROWS);
const ROUNDS = 15;
const GOALS = { pageRatio: 2, scanRatio: 20, searchP95: 100, lastPage: 60, stallMs: 50, streamMB: 150 };
const SEARCHES = [
  'Überraschung',
  '要確認',
  'cust',
  'Monday follow review',
  'userid=u49',
  '9876',
  'not there',
  'größer erw',
  // One or two characters: in all rows, in some, in none.
  'e',
  '要',
  '~~',
];

/** Runs small units of work during an import; returns the longest, which shows how long others wait. */
async function longestUnit(store: Store, work: Promise<unknown>): Promise<number> {
  const state = { isDone: false };
  void work.finally(() => {
    state.isDone = true;
  });
  let longest = 0;
  while (!state.isDone) {
    longest = Math.max(longest, await timed(() => store.transaction((unit) => unit.instance.all())));
    await setTimeout(5);
  }
  return longest;
}

async function build(store: Store): Promise<void> {
  const importing = timed(() =>
    store.granules.importAll('large', comments(ROWS, 'ORD'), async () => undefined),
  );
  const wait = await longestUnit(store, importing);
  const ms = await importing;
  console.log(
    `import of ${ROWS} rows: ${Math.round((ROWS / ms) * 1000)} rows/s; another unit waited ${Math.round(wait)} ms at most`,
  );
  await store.granules.bulkUpsert('small', comments(SMALL, 'ORD'));
  const stall = await longestStall(async () => {
    const bulkMs = await timed(() => store.granules.bulkUpsert('bulk', comments(BULK, 'ORD')));
    console.log(`bulk insert: ${Math.round((BULK / bulkMs) * 1000)} rows/s`);
  });
  verdict('longest stall of the event loop while writing, ms', stall, GOALS.stallMs);
  const replacing = store.granules.importAll(
    'bulk',
    comments(BULK, 'ORD').map((row) => ({ ...row, data: {} })),
    async () => undefined,
  );
  const replaceWait = await longestUnit(store, replacing);
  console.log(`import that replaces ${BULK} rows: another unit waited ${Math.round(replaceWait)} ms at most`);
  // A second large kapsule in the same file, which must not slow down searches in the first.
  await store.granules.bulkUpsert('other', comments(ROWS, 'ORD'));
  const indexing = await timed(async () => {
    for (let mark = ''; mark !== (await store.changeMark()); await setTimeout(3_000))
      mark = await store.changeMark();
  });
  console.log(`indexing in idle time: ${Math.round(((2 * ROWS) / indexing) * 1000)} rows/s`);
}

/** A search without an index: a scan of all texts. */
async function scanAll(): Promise<void> {
  const database = new DatabaseSync(file, { readOnly: true });
  database.prepare("SELECT count(*) FROM granules WHERE instr(search, 'ord-0000042') > 0").get();
  database.close();
}

async function measurePages(store: Store): Promise<void> {
  const page = (kapsule: string, query: Partial<GranulePageQuery>) =>
    timed(() =>
      store.granules.page(kapsule, { sort: 'key', descending: false, offset: 0, limit: 100, ...query }),
    );
  const times = {
    small: [] as number[],
    large: [] as number[],
    last: [] as number[],
    indexed: [] as number[],
    scan: [] as number[],
  };
  const searches: number[] = [];
  const stall = await longestStall(async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const sort = (['key', 'user', 'createdAt', 'updatedAt', 'reloaded'] as const)[round % 5] ?? 'key';
      times.small.push(await page('small', { sort }));
      times.large.push(await page('large', { sort }));
      times.last.push(await page('large', { sort, offset: ROWS - 50 }));
      times.indexed.push(await page('large', { q: `ORD-${String(ROWS - 1 - round).padStart(7, '0')}` }));
      for (const q of SEARCHES) searches.push(await page('large', { q, sort, descending: round % 2 === 1 }));
    }
  });
  for (let round = 0; round < 3; round += 1) times.scan.push(await timed(scanAll));
  const [small, large, indexed, scan] = [times.small, times.large, times.indexed, times.scan].map(median) as [
    number,
    number,
    number,
    number,
  ];
  console.log(
    `page of 100: ${small.toFixed(2)} ms of ${SMALL}, ${large.toFixed(2)} ms of ${ROWS}; search ${indexed.toFixed(1)} ms, scan ${scan.toFixed(0)} ms`,
  );
  verdict(`page of ${ROWS}, times the page of ${SMALL}`, large / small, GOALS.pageRatio);
  verdict('last page, ms', median(times.last), GOALS.lastPage);
  verdict('scan, times the indexed search', scan / indexed, GOALS.scanRatio, { isLargerBetter: true });
  verdict('first page of a search, p95 in ms', p95(searches), GOALS.searchP95);
  verdict('longest stall of the event loop while reading, ms', stall, GOALS.stallMs);
}

async function measureStream(store: Store): Promise<void> {
  const before = process.memoryUsage.rss();
  let peak = before;
  let lines = 0;
  const ms = await timed(async () => {
    for await (const chunk of store.granules.stream('large', {})) {
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, end + 1)) lines += 1;
      peak = Math.max(peak, process.memoryUsage.rss());
    }
  });
  if (lines !== ROWS) throw new Error(`The stream had ${lines} rows.`);
  console.log(`stream: ${Math.round((ROWS / ms) * 1000)} rows/s`);
  verdict('growth of memory while streaming, MB', (peak - before) / 1e6, GOALS.streamMB);
}

const folder = mkdtempSync(join(tmpdir(), 'granules-bench-'));
const file = join(folder, 'kaptain.db');
try {
  const store = await openEmbeddedStore({ file });
  await build(store);
  await measurePages(store);
  await measureStream(store);
  await store.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
