import { Metrics } from '../../apps/service/src/operations/metrics/metrics.ts';
import { start } from '../../apps/service/src/start.ts';
import { StallWatch } from './times.ts';

/*
 * The real service in its own process, and the only file of the benches that knows its sources. Tells its parent its port;
 * between `watch` and `report` it measures its event loop, memory and processor time. `on` and `off` switch metrics: two
 * services would differ by the place of their code and data in memory, which costs more than metrics do.
 */
let areMetricsOn = true;
const observed = Object.getOwnPropertyDescriptor(Metrics.prototype, 'observeAnswer')?.value as (
  this: Metrics,
  ...observation: Parameters<Metrics['observeAnswer']>
) => void;
if (process.env['KAPTAIN_METRICS'] !== undefined)
  Metrics.prototype.observeAnswer = function observeIfOn(...observation) {
    if (areMetricsOn) observed.apply(this, observation);
  };

/** The resources that the service used between `watch` and `report`. */
export interface Use {
  stallMs: number;
  growthMB: number;
  cpuMs: number;
}

const service = await start(process.env);
const memory = () => process.memoryUsage.rss();
let began = { processor: process.cpuUsage(), memory: memory() };
let peak = 0;
let stalls: StallWatch | undefined;
let timer: NodeJS.Timeout | undefined;

function watch(): void {
  began = { processor: process.cpuUsage(), memory: memory() };
  peak = began.memory;
  stalls = new StallWatch();
  timer = setInterval(() => {
    peak = Math.max(peak, memory());
  }, 20);
}

function report(): void {
  clearInterval(timer);
  const { user, system } = process.cpuUsage(began.processor);
  const use: Use = {
    stallMs: stalls?.end() ?? 0,
    growthMB: (peak - began.memory) / 1e6,
    cpuMs: (user + system) / 1000,
  };
  process.send?.(use);
}

process.on('message', (message) => {
  if (message === 'watch') watch();
  else if (message === 'report') report();
  else if (message === 'stop') void service.stop().then(() => process.exit(0));
  else {
    areMetricsOn = message === 'on';
    process.send?.(process.cpuUsage());
  }
});
// A bench that fails leaves nothing behind.
process.once('disconnect', () => process.exit());
process.send?.(service.port);
