import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedStore } from '@kaptain/store';
import { newFolder, removeFolder } from '../kit/folders.ts';
import { isTrial } from '../kit/options.ts';
import { endSection, figure } from '../kit/report.ts';
import { runService } from '../kit/service.ts';
import { interval, median } from './interval.ts';
import { BLOCK, MeasuredProcess } from './measured-process.ts';

/*
 * What metrics cost: the processor time per request of a service that observes its answers and is scraped once in a second of
 * work (Prometheus asks every 15 seconds, if not told otherwise), divided by that of the same service while it does neither. It
 * changes between both in short blocks of requests, so that other programs slow both alike; the median of the blocks leaves out
 * those that another program has interrupted. The goal is missed when the whole 95 % interval lies above it.
 */
const PROCESSES = isTrial ? 1 : 4;
const PAIRS = isTrial ? 20 : 200;
const SCRAPES = isTrial ? 2 : 20;
const WARM_UP = isTrial ? 2 : 60;
const SCRAPE_EVERY_MICROSECONDS = 1_000_000;
const GOAL = 1.02;
const calls = [
  { label: 'list of 200 kapsules', path: () => '/api/kapsule' },
  { label: 'one kapsule', path: (id: string) => `/api/kapsule/${id}` },
];
type Call = (typeof calls)[number];

/** Microseconds of two blocks of requests, one after the other. */
interface Pair {
  without: number;
  withMetrics: number;
}

interface Found {
  pairs: Pair[];
  /** Blocks with a scrape. */
  scraped: number[];
}

async function measure(service: MeasuredProcess, { path }: Call, pairs: number): Promise<Found> {
  const found: Found = { pairs: [], scraped: [] };
  for (let number = 0; number < pairs; number += 1) {
    const pair = { without: 0, withMetrics: 0 };
    const measureOff = async () => (pair.without = await service.microseconds(path, 'off', false));
    const measureOn = async () => (pair.withMetrics = await service.microseconds(path, 'on', false));
    // Each goes first in turn, so that a drift of the machine favours neither.
    for (const next of number % 2 === 0 ? [measureOff, measureOn] : [measureOn, measureOff]) await next();
    found.pairs.push(pair);
    if (number % (PAIRS / SCRAPES) === 0) found.scraped.push(await service.microseconds(path, 'on', true));
  }
  return found;
}

function print({ label }: Call, { pairs, scraped }: Found): void {
  const middle = (part: keyof Pair, of: readonly Pair[] = pairs) => median(of.map((pair) => pair[part]));
  const perScrape = Math.max(0, median(scraped) - middle('withMetrics'));
  const ratio = (of: readonly Pair[]) =>
    median(of.map(({ without, withMetrics }) => withMetrics / without)) +
    perScrape / SCRAPE_EVERY_MICROSECONDS;
  const { low, high } = interval(pairs, ratio);
  const micro = (block: number) => `${(block / BLOCK).toFixed(1)} µs`;
  const details = [
    `ratio ${ratio(pairs).toFixed(3)}, 95 % interval ${low.toFixed(3)} to ${high.toFixed(3)}`,
    `${micro(middle('without'))} and ${micro(middle('withMetrics'))}, a scrape ${(perScrape / 1000).toFixed(1)} ms`,
  ];
  figure(`${label}, least ratio`, low, { atMost: GOAL, details: details.join('; ') });
}

const home = newFolder();
try {
  const samples = new Map<Call, Found>(calls.map((call) => [call, { pairs: [], scraped: [] }]));
  const folder = newFolder();
  const open = () => openEmbeddedStore({ file: join(folder, 'kaptain.db') });
  const filled = await runService({ folder, env: {}, open });
  await filled[Symbol.asyncDispose]();
  for (let index = 0; index < PROCESSES; index += 1) {
    const copy = join(home, String(index));
    cpSync(folder, copy, { recursive: true });
    await using service = await MeasuredProcess.start(copy);
    for (const [call, found] of samples) {
      await measure(service, call, WARM_UP);
      const { pairs, scraped } = await measure(service, call, PAIRS);
      found.pairs.push(...pairs);
      found.scraped.push(...scraped);
    }
  }
  removeFolder(folder);
  for (const [call, found] of samples) print(call, found);
  endSection(['Metrics']);
} finally {
  removeFolder(home);
}
