import { median } from '../granules-store/watch.ts';
import { importRows, measureBulk, measureSearches } from './granules.ts';
import { measureLists } from './lists.ts';
import type { Goals, Place } from './place.ts';

const number = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);
const ROUNDS = number('KAPTAIN_BENCH_ROUNDS', 7);
const SECONDS = number('KAPTAIN_BENCH_SECONDS', 2);

const rate = (values: readonly number[]) => `${Math.round(median(values))}/s`;
const ratios = (ours: readonly number[], theirs: readonly number[]) =>
  ours.map((value, turn) => value / (theirs[turn] ?? Number.NaN));

/**
 * The same work on one database: the service to handlers without login, the store to what is written by hand. What is
 * compared takes turns, and the median of their ratios counts. KAPTAIN_BENCH_ROWS, KAPTAIN_BENCH_ROUNDS and
 * KAPTAIN_BENCH_SECONDS make it smaller. Exit code 1 when a goal is missed.
 */
export async function measure(place: Place, usualRows: number, goals: Partial<Goals> = {}): Promise<void> {
  const rowCount = number('KAPTAIN_BENCH_ROWS', usualRows);
  const bulkRows = Math.min(50_000, rowCount);
  const show = (label: string, ratio: number, goal: number | undefined, figures: string) => {
    const isMissed = goal !== undefined && !(ratio >= goal);
    if (isMissed) process.exitCode = 1;
    const word = goal === undefined ? '      ' : isMissed ? 'MISSED' : 'ok    ';
    const wanted = goal === undefined ? '' : `goal >= ${goal}x; `;
    console.log(`  ${word} ${label}: ${ratio.toFixed(2)}x (${wanted}${figures})`);
  };
  console.log(`  on ${place.name}`);

  const { list, rows, json, small, bareSmall } = await measureLists(place, ROUNDS, SECONDS);
  const ones = `service ${rate(small)}, bare ${rate(bareSmall)}`;
  show('one kapsule to a handler without login', median(ratios(small, bareSmall)), goals.small, ones);
  const lists = `service ${rate(list)}, handler ${rate(rows)}`;
  show('200 kapsules to a handler row by row', median(ratios(list, rows)), goals.listToRows, lists);
  if (place.bare.makesJson) {
    const figures = `service ${rate(list)}, handler ${rate(json)}`;
    const label = '200 kapsules to JSON made by the database without login';
    show(label, median(ratios(list, json)), goals.listToJson, figures);
  }

  const store = await place.open();
  try {
    const { upserts, writes } = await measureBulk(place, store, bulkRows, ROUNDS);
    const figures = `upsert ${rate(upserts)}, by hand ${rate(writes)} rows`;
    const label = `bulk upsert of ${bulkRows} rows to the fastest way in`;
    show(label, median(ratios(upserts, writes)), goals.bulk, figures);
    console.log(
      `         import of ${rowCount} rows: ${Math.round(await importRows(store, rowCount))} rows/s`,
    );
    await place.settle(store);
    for (const { q, isRare, found, total, scan } of await measureSearches(place, store)) {
      const label = `search for "${q}" in ${rowCount} rows to a scan`;
      const figures = `${found.toFixed(1)} ms, scan ${scan.toFixed(0)} ms, ${total}`;
      show(label, scan / found, isRare ? goals.rareSearch : undefined, figures);
    }
  } finally {
    await store.close();
  }
}
