import { setTimeout } from 'node:timers/promises';
import { get } from './kit/client.ts';
import { filledKapsule } from './kit/kapsules.ts';
import { amount, dayAt } from './kit/mixed.ts';
import { onDatabases } from './kit/on-databases.ts';
import { roundsOr, rowsOr } from './kit/options.ts';
import { besideOthers } from './kit/others.ts';
import { type PageAnswer, pagePath, pagesOf } from './kit/page.ts';
import { figure, note } from './kit/report.ts';
import { median, timed } from './kit/times.ts';

/*
 * Filters and orders by fields of a large kapsule over HTTP: the first answer without an index, the time until the index is there,
 * pages with it beside the first page by key, and exact counts; beside another person's calls.
 */
const ROWS = rowsOr(1_000_000);
const ROUNDS = roundsOr(7);
const GOALS = { firstMs: 1_500, indexedMs: 100 };
const AMOUNTS = Math.min(200_000, ROWS);

const between = (field: string, from: number | string, to?: number | string) => ({
  where: [{ field, is: 'between', from, to }],
});
const half = between('Amount', amount(AMOUNTS / 2));

const queries = [
  ['numbers in about 40 rows', between('Amount', amount(1_000), amount(1_007))],
  ['numbers in no row', between('Amount', -9, -8)],
  ['four days in 0.1 % of the rows', between('OrderDate', dayAt(1_000), dayAt(1_003))],
  ['empty in 5 %', { where: [{ field: 'Country', is: 'empty' }] }],
  ['empty in 30 %', { where: [{ field: 'Comment', is: 'empty' }] }],
  ['numbers in half of the rows', half],
  ['in order of numbers', { sort: 'field:Amount' }],
  ['middle page in order of numbers', { sort: 'field:Amount', page: Math.ceil(pagesOf(ROWS) / 2) }],
  ['in order of days, last first', { sort: '-field:OrderDate' }],
] as const;

const counts = [
  ['a word that most rows have', 'q=kommentar'],
  ['a word that a hundredth has', 'q=nr+77'],
  ['a range that half of the rows are in', `where=${encodeURIComponent(JSON.stringify(half.where))}`],
] as const;

await onDatabases(
  { title: 'Filters, orders and exact counts', kinds: ['embedded', 'postgres'], size: `${ROWS} rows` },
  async (database, { admin, listKapsules }) => {
    const id = await filledKapsule(database, admin, ROWS);
    const page = (query: Parameters<typeof pagePath>[1]) => get<PageAnswer>(admin, pagePath(id, query));

    await besideOthers('first answers and indexing', listKapsules, async () => {
      for (const [label, query] of queries)
        figure(`without an index, ${label}`, await timed(() => page(query)), {
          atMost: GOALS.firstMs,
          unit: ' ms',
        });
      const ms = await timed(async () => {
        for (const [, query] of queries) while ((await page(query)).isPartial) await setTimeout(500);
      });
      note('the indexes are there', `after ${(ms / 1_000).toFixed(0)} s`);
    });

    await besideOthers('filters', listKapsules, async () => {
      const plain: number[] = [];
      const times = queries.map((): number[] => []);
      for (let round = 0; round < ROUNDS; round += 1) {
        plain.push(await timed(() => page({ sort: 'key' })));
        for (const [n, [, query]] of queries.entries()) times[n]?.push(await timed(() => page(query)));
      }
      note('the first page by key', `${median(plain).toFixed(1)} ms`);
      for (const [n, [label]] of queries.entries())
        figure(`indexed, ${label}`, median(times[n] ?? []), { atMost: GOALS.indexedMs, unit: ' ms' });
    });

    await besideOthers('exact counts', listKapsules, async () => {
      for (const [label, query] of counts) {
        let total = 0;
        const ms = await timed(async () => {
          ({ total } = await get<{ total: number }>(admin, `/api/kapsule/${id}/granules/count?${query}`));
        });
        note(`count of ${label}`, `${(ms / 1_000).toFixed(1)} s for ${total}`);
      }
    });
  },
);
