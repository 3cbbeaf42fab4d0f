import { start } from '../../apps/service/src/start.ts';

/** The real service in its own process; the messages `watch` and `report` measure its event loop and memory. */
const service = await start(process.env);
const used = () => process.threadCpuUsage().user / 1_000;
let timer: NodeJS.Timeout | undefined;
let [longest, last, before, peak] = [0, 0, 0, 0];
let processor = process.cpuUsage();

function watch(): void {
  [longest, last, before] = [0, used(), process.memoryUsage.rss()];
  peak = before;
  processor = process.cpuUsage();
  let ticks = 0;
  timer = setInterval(() => {
    // CPU time, because wall time includes the load of other processes.
    longest = Math.max(longest, used() - last);
    last = used();
    if (++ticks % 20 === 0) peak = Math.max(peak, process.memoryUsage.rss());
  }, 1);
}

process.on('message', (message) => {
  if (message === 'watch') watch();
  if (message === 'report') {
    clearInterval(timer);
    const { user, system } = process.cpuUsage(processor);
    process.send?.({
      stallMs: longest,
      growthMB: (peak - before) / 1e6,
      peakMB: peak / 1e6,
      cpuMs: (user + system) / 1000,
    });
  }
  if (message === 'stop') void service.stop().then(() => process.exit(0));
});
process.send?.({ url: /http:\/\/\S+?(?=[\s.]*$|\. )/.exec(service.greeting)?.[0] });
