import { median } from '../granules-store/watch.ts';
import type { BenchDatabase, Goals } from './database.ts';
import { importRows, measureBulk, measureSearches } from './granules.ts';
import { measureLists } from './lists.ts';

const number = (name: string, fallback: number) => Number(process.env[name] ?? fallback);
const ROUNDS = number('KAPTAIN_BENCH_ROUNDS', 7);
const SECONDS = number('KAPTAIN_BENCH_SECONDS', 2);

const rate = (values: readonly number[]) => `${Math.round(median(values))}/s`;
const ratios = (ours: readonly number[], theirs: readonly number[]) =>
  ours.map((value, turn) => value / (theirs[turn] ?? Number.NaN));

/**
 * Compares on one database: the service with handlers without login, the store with hand-written statements. Rounds
 * alternate, and the median of the ratios counts. KAPTAIN_BENCH_ROWS, KAPTAIN_BENCH_ROUNDS and KAPTAIN_BENCH_SECONDS set
 * the size. Exit code 1 when a goal is missed.
 */
export async function measure(
  database: BenchDatabase,
  defaultRows: number,
  goals: Partial<Goals> = {},
): Promise<void> {
  const rowCount = number('KAPTAIN_BENCH_ROWS', defaultRows);
  const bulkRows = Math.min(50_000, rowCount);
  const show = (label: string, ratio: number, goal: number | undefined, figures: string) => {
    const isMissed = goal !== undefined && !(ratio >= goal);
    if (isMissed) process.exitCode = 1;
    const word = goal === undefined ? '      ' : isMissed ? 'MISSED' : 'ok    ';
    const wanted = goal === undefined ? '' : `goal >= ${goal}x; `;
    console.log(`  ${word} ${label}: ${ratio.toFixed(2)}x (${wanted}${figures})`);
  };
  console.log(`  on ${database.name}`);

  const { list, rows, json, small, bareSmall } = await measureLists(database, ROUNDS, SECONDS);
  const ones = `service ${rate(small)}, bare ${rate(bareSmall)}`;
  show('one kapsule to a handler without login', median(ratios(small, bareSmall)), goals.small, ones);
  const lists = `service ${rate(list)}, handler ${rate(rows)}`;
  show('200 kapsules to a handler row by row', median(ratios(list, rows)), goals.listToRows, lists);
  if (database.bare.makesJson) {
    const figures = `service ${rate(list)}, handler ${rate(json)}`;
    const label = '200 kapsules to JSON made by the database without login';
    show(label, median(ratios(list, json)), goals.listToJson, figures);
  }

  const store = await database.open();
  try {
    const { upserts, writes } = await measureBulk(database, store, bulkRows, ROUNDS);
    const figures = `upsert ${rate(upserts)}, by hand ${rate(writes)} rows`;
    const label = `bulk upsert of ${bulkRows} rows to the fastest bulk load`;
    show(label, median(ratios(upserts, writes)), goals.bulk, figures);
    console.log(
      `         import of ${rowCount} rows: ${Math.round(await importRows(store, rowCount))} rows/s`,
    );
    await database.settle(store);
    for (const { q, isRare, found, total, scan } of await measureSearches(database, store)) {
      const label = `search for "${q}" in ${rowCount} rows to a scan`;
      const figures = `${found.toFixed(1)} ms, scan ${scan.toFixed(0)} ms, ${total}`;
      show(label, scan / found, isRare ? goals.rareSearch : undefined, figures);
    }
  } finally {
    await store.close();
  }
}
