import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fill } from '../people/fill.ts';
import { interval } from './interval.ts';
import { BLOCK, MeasuredProcess } from './measured-process.ts';

/**
 * Measures what metrics cost: the processor time per request of a service that observes its answers and is scraped once per
 * 4000 requests, divided by that of the same service while it does neither. It changes between both in short blocks of requests,
 * so that other programs slow both alike. The ratio of 40 blocks of each is one sample. Exit code 1 when the goal is missed,
 * i.e. when the whole 95 % interval lies above it.
 */
const PROCESSES = Number(process.env['KAPTAIN_BENCH_PROCESSES'] ?? 4);
const SAMPLES = 4;
const BLOCKS = 40;
const WARM_UP = 20;
const GOAL = 1.02;
const calls = [
  { label: 'list of 200 kapsules', path: () => '/api/kapsule' },
  { label: 'one kapsule', path: (id: string) => `/api/kapsule/${id}` },
];
type Call = (typeof calls)[number];

/** Microseconds per request. */
interface Sample {
  without: number;
  withMetrics: number;
}

async function measure(service: MeasuredProcess, { path }: Call, blocks: number): Promise<Sample> {
  let [without, withMetrics] = [0, 0];
  for (let block = 0; block < blocks; block += 1) {
    const measureOff = async () => (without += await service.microseconds(path, 'off', false));
    const measureOn = async () => (withMetrics += await service.microseconds(path, 'on', block === 0));
    // Each goes first in turn, so that a drift of the machine favours neither.
    for (const next of block % 2 === 0 ? [measureOff, measureOn] : [measureOn, measureOff]) await next();
  }
  return { without: without / (blocks * BLOCK), withMetrics: withMetrics / (blocks * BLOCK) };
}

function print({ label }: Call, found: readonly Sample[]): void {
  const { mean, low, high } = interval(found.map(({ without, withMetrics }) => withMetrics / without));
  if (low > GOAL) process.exitCode = 1;
  const verdict = low > GOAL ? 'MISSED ' : high <= GOAL ? 'ok     ' : 'unclear';
  const [off, on] = (['without', 'withMetrics'] as const).map((part) =>
    interval(found.map((sample) => sample[part])).mean.toFixed(1),
  );
  const spread = `95 % interval ${low.toFixed(3)} to ${high.toFixed(3)}`;
  console.log(
    `${verdict} ${label}: ${mean.toFixed(3)} (goal at most ${GOAL}), ${spread}, ${off} and ${on} µs`,
  );
}

const home = mkdtempSync(join(tmpdir(), 'metrics-bench-'));
try {
  const samples = new Map<Call, Sample[]>(calls.map((call) => [call, []]));
  await fill(join(home, 'filled'));
  for (let place = 0; place < PROCESSES; place += 1) {
    const folder = join(home, String(place));
    cpSync(join(home, 'filled'), folder, { recursive: true });
    await using service = await MeasuredProcess.start(folder);
    for (const [call, found] of samples) {
      await measure(service, call, WARM_UP);
      for (let sample = 0; sample < SAMPLES; sample += 1) found.push(await measure(service, call, BLOCKS));
    }
  }
  for (const [call, found] of samples) print(call, found);
} finally {
  rmSync(home, { recursive: true, force: true });
}
