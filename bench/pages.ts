import { foldText } from '@kaptain/store';
import type { BenchDatabase, DatabaseKind } from './databases/database.ts';
import { type Caller, get } from './kit/client.ts';
import { filledKapsule } from './kit/kapsules.ts';
import { orderNo } from './kit/mixed.ts';
import { onDatabases } from './kit/on-databases.ts';
import { roundsOr, rowsOr } from './kit/options.ts';
import { besideOthers, Others } from './kit/others.ts';
import { type PageAnswer, pagePath, pagesOf, SIZE } from './kit/page.ts';
import { figure, note } from './kit/report.ts';
import type { Running } from './kit/service.ts';
import type { Use } from './kit/service-process.ts';
import { median, p95, timed } from './kit/times.ts';

/*
 * Pages of a large kapsule over HTTP, compared with those of a small one: first, deep and last ones, and first pages of searches,
 * compared with a scan of all rows; beside another person's calls.
 */
const ROWS = rowsOr(1_000_000);
const SMALL = Math.ceil(ROWS / 100);
const ROUNDS = roundsOr(9);
const SCANS = 3;
const IDLE_CALLS = 100;
const SORTS = ['key', 'user', 'createdAt', 'updatedAt', 'reloaded'] as const;

interface Goals {
  small?: number;
  lastMs?: number;
  deepMs?: number;
  commonMs?: number;
  rare?: number;
  searchMs?: number;
  stallMs?: number;
}
const goals: Partial<Record<DatabaseKind, Goals>> = {
  embedded: { small: 2, lastMs: 60, rare: 20, searchMs: 100, stallMs: 50 },
  postgres: { deepMs: 30, commonMs: 100, rare: 20 },
};

/** In none or a few of a million rows, and in some hundred to nearly all. */
const RARE = [orderNo(Math.floor(ROWS / 2)), 'nr 4242:', 'not there'];
const COMMON = [
  'customer',
  'Monday follow',
  'userid=u7',
  'Überraschung',
  '要確認',
  'größer erw',
  '9876',
  'e',
  '要',
];

interface Search {
  q: string;
  byKey: number[];
  newest: number[];
  scan: number[];
  answer?: PageAnswer;
}

/** The scans run between the rounds, so that the other person's calls are beside the searches alone. */
async function measureSearches(
  database: BenchDatabase,
  { admin, listKapsules }: Running,
  id: string,
): Promise<Search[]> {
  const searches = [...RARE, ...COMMON].map((q): Search => ({ q, byKey: [], newest: [], scan: [] }));
  const others = new Others(listKapsules);
  const searchAll = async () => {
    for (const search of searches) {
      const { q, byKey, newest } = search;
      const find = async () => {
        search.answer = await get<PageAnswer>(admin, pagePath(id, { q, sort: 'key' }));
      };
      byKey.push(await timed(find));
      newest.push(await timed(() => get(admin, pagePath(id, { q, sort: '-updatedAt' }))));
    }
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    await others.rest(IDLE_CALLS);
    await others.during(searchAll());
    if (round >= SCANS) continue;
    for (const { q, scan, answer } of searches) {
      const { ms, rows } = await database.scan(id, foldText(q));
      if (rows !== answer?.data.length) throw new Error(`The scan for ${q} found ${rows} rows.`);
      scan.push(ms);
    }
  }
  others.report('searches');
  return searches;
}

function tellSearches(searches: readonly Search[], goal: Goals): void {
  for (const { q, byKey, newest, scan, answer } of searches) {
    const [ms, scanMs] = [median(byKey), median(scan)];
    const total = `${answer?.totalIsExact === false ? 'more than ' : ''}${answer?.total} rows`;
    figure(`a scan to the search for “${q}”`, scanMs / ms, {
      atLeast: RARE.includes(q) ? goal.rare : undefined,
      details: `${ms.toFixed(1)} ms, a scan ${scanMs.toFixed(0)} ms; ${total}`,
    });
    if (RARE.includes(q)) continue;
    figure(`“${q}” by key`, ms, { atMost: goal.commonMs, unit: ' ms' });
    figure(`“${q}”, newest first`, median(newest), { atMost: goal.commonMs, unit: ' ms' });
  }
  const all = searches.flatMap(({ byKey, newest }) => [...byKey, ...newest]);
  figure('first pages of all searches, p95', p95(all), { atMost: goal.searchMs, unit: ' ms' });
}

async function measurePages(admin: Caller, large: string, small: string, goal: Goals): Promise<void> {
  const pages = pagesOf(ROWS);
  const first = { small: [] as number[], large: [] as number[] };
  const deep = [
    ['a page after 90 %', Math.ceil(0.9 * pages), goal.deepMs],
    ['the middle page', Math.ceil(0.5 * pages), undefined],
    ['the last page', pages, goal.lastMs],
  ] as const;
  const times = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round += 1)
    for (const sort of SORTS) {
      first.small.push(await timed(() => get(admin, pagePath(small, { sort }))));
      first.large.push(await timed(() => get(admin, pagePath(large, { sort }))));
      for (const [label, page] of deep) {
        const key = `${label} by ${sort}`;
        const ms = await timed(() => get(admin, pagePath(large, { sort, page })));
        times.set(key, [...(times.get(key) ?? []), ms]);
      }
    }
  const [few, many] = [median(first.small), median(first.large)];
  figure(`first page of ${ROWS} rows to that of ${SMALL}`, many / few, {
    atMost: goal.small,
    details: `${many.toFixed(1)} ms, ${few.toFixed(1)} ms`,
  });
  for (const [label, , atMost] of deep)
    for (const sort of SORTS) {
      const key = `${label} by ${sort}`;
      figure(key, median(times.get(key) ?? []), { atMost, unit: ' ms' });
    }
}

await onDatabases(
  {
    title: 'Pages and searches',
    kinds: ['embedded', 'postgres', 'mongodb'],
    size: `${ROWS} rows, pages of ${SIZE}`,
  },
  async (database, running) => {
    const { admin, service, listKapsules } = running;
    const goal = goals[database.kind] ?? {};
    const small = await filledKapsule(database, admin, SMALL);
    const large = await filledKapsule(database, admin, ROWS);
    service.tell('watch');
    await besideOthers('pages', listKapsules, () => measurePages(admin, large, small, goal));
    tellSearches(await measureSearches(database, running, large), goal);
    const { stallMs, growthMB } = await service.ask<Use>('report');
    figure('longest stall of the event loop', stallMs, { atMost: goal.stallMs, unit: ' ms' });
    note('growth of memory', `${growthMB.toFixed(0)} MB`);
  },
);
