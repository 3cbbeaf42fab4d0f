import type {
  FieldCondition,
  GranuleFilter,
  GranuleInput,
  GranulePageQuery,
  SortField,
  Store,
} from '@kaptain/store';
import { embeddedDatabase } from '../embedded/database.ts';
import { median, timed } from '../granules-store/watch.ts';
import { postgresDatabase } from '../postgres/database.ts';
import type { BenchDatabase } from '../stores/database.ts';
import { verdict } from '../verdict.ts';

/**
 * Measures filters and orders by fields of a large kapsule: the first answer without an index, the time until the index is
 * there, and pages with it beside pages of the same rows by key. `filters embedded` or `filters postgres` runs one of them.
 * KAPTAIN_BENCH_ROWS sets the number of rows. Exit code 1 when a goal is missed.
 */
const ROWS = Number(process.env['KAPTAIN_BENCH_ROWS'] ?? 1_000_000);
const ROUNDS = 7;
const LINE_END = 0x0a;
const GOALS = { firstMs: 1_500, indexedMs: 100 };

const amount: SortField = { name: 'Amount', type: 'number' };
const page = (query: Partial<GranulePageQuery>): GranulePageQuery => ({
  sort: 'key',
  descending: false,
  offset: 0,
  limit: 100,
  ...query,
});
const where = (...conditions: FieldCondition[]) => ({ where: conditions });

const queries: { label: string; query: GranulePageQuery }[] = [
  {
    label: 'numbers in 40 rows',
    query: page(where({ field: 'Amount', type: 'number', is: 'between', from: 10, to: 10.039 })),
  },
  {
    label: 'numbers in no row',
    query: page(where({ field: 'Amount', type: 'number', is: 'between', from: -9, to: -8 })),
  },
  {
    label: 'a day in 0.1 % of the rows',
    query: page(where({ field: 'Due', type: 'date', is: 'between', from: '2026-03-01', to: '2026-03-01' })),
  },
  { label: 'empty in 0.01 %', query: page(where({ field: 'Note', type: 'text', is: 'empty' })) },
  {
    label: 'numbers in half of the rows',
    query: page(where({ field: 'Amount', type: 'number', is: 'between', from: ROWS / 2_000 })),
  },
  { label: 'in order of numbers', query: page({ sortField: amount }) },
  { label: 'page 5,000 of them', query: page({ sortField: amount, offset: ROWS / 2 }) },
  {
    label: 'in order of days, last first',
    query: page({ sortField: { name: 'Due', type: 'date' }, descending: true }),
  },
];

function* rows(): Generator<GranuleInput> {
  for (let n = 0; n < ROWS; n += 1) {
    const day = new Date(Date.UTC(2024, 0, 1 + ((n * 7) % 1_000))).toISOString().slice(0, 10);
    // Every number once, in no order.
    const number = ((n * 7_919) % ROWS) / 1_000;
    const note = n % 10_000 === 0 ? '' : `Comment ${n} about the late delivery of this order`;
    yield {
      key: `ORD-${n}`,
      user: `u${n % 50}`,
      data: { Amount: number, Due: day, Note: note, Done: n % 3 === 0 },
    };
  }
}

/** The exact number of matches, as `GET granules/count` finds it: the lines of the stream of an export. */
async function count(store: Store, filter: GranuleFilter): Promise<number> {
  let lines = 0;
  for await (const chunk of store.granules.stream('large', filter))
    for (const byte of chunk) if (byte === LINE_END) lines += 1;
  return lines;
}

const counted: { label: string; filter: GranuleFilter }[] = [
  { label: 'a word that every row has', filter: { q: 'delivery' } },
  { label: 'a word that a hundredth has', filter: { q: 'order 77' } },
  {
    label: 'a range that half of the rows are in',
    filter: where({ field: 'Amount', type: 'number', is: 'between', from: ROWS / 2_000 }),
  },
];

async function measure(name: string, database: BenchDatabase): Promise<void> {
  const store = await database.open();
  console.log(`${name}, ${ROWS.toLocaleString('en-US')} granules`);
  await store.granules.importAll('large', rows(), async () => undefined);
  await database.settle(store);
  const read = (query: GranulePageQuery) => store.granules.page('large', query);
  for (const { label, query } of queries)
    verdict(`first answer, ${label}`, await timed(() => read(query)), GOALS.firstMs, { unit: ' ms' });
  const began = performance.now();
  await untilIndexed(store);
  console.log(`         the indexes are there after ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  const plain: number[] = [];
  const times = queries.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    plain.push(await timed(() => read(page({}))));
    for (const [n, { query }] of queries.entries()) times[n]?.push(await timed(() => read(query)));
  }
  console.log(`         the first page by key: ${median(plain).toFixed(1)} ms`);
  for (const [n, { label }] of queries.entries())
    verdict(`indexed, ${label}`, median(times[n] ?? []), GOALS.indexedMs, { unit: ' ms' });
  for (const { label, filter } of counted) {
    let lines = 0;
    const ms = await timed(async () => {
      lines = await count(store, filter);
    });
    console.log(
      `         count of ${label}: ${(ms / 1_000).toFixed(1)} s for ${lines.toLocaleString('en-US')}`,
    );
  }
  await store.close();
}

/** Until no page is partial any more. */
async function untilIndexed(store: Store): Promise<void> {
  for (const { query } of queries)
    while ((await store.granules.page('large', query)).isPartial)
      await new Promise((resolve) => setTimeout(resolve, 500));
}

const databases = { embedded: embeddedDatabase, postgres: postgresDatabase };
const wanted = process.argv[2];
for (const [name, make] of Object.entries(databases)) {
  if (wanted !== undefined && wanted !== name) continue;
  const database = await make();
  try {
    await measure(name, database);
  } finally {
    await database.stop();
  }
}
