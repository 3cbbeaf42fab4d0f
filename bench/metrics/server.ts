import { Metrics } from '../../apps/service/src/operations/metrics/metrics.ts';
import { start } from '../../apps/service/src/start.ts';

/**
 * A service with metrics that its parent turns off and on again: two services would differ by the place of their code and data
 * in memory, which costs more than metrics do. Tells its parent its port, and the processor time that the process has used.
 */
let isOn = true;
const observed = Object.getOwnPropertyDescriptor(Metrics.prototype, 'observeAnswer')?.value as (
  this: Metrics,
  ...observation: Parameters<Metrics['observeAnswer']>
) => void;
Metrics.prototype.observeAnswer = function observeIfOn(...observation) {
  if (isOn) observed.apply(this, observation);
};
const service = await start(process.env);
process.on('message', (message) => {
  if (message === 'stop') void service.stop().then(() => process.exit(0));
  else {
    isOn = message === 'on';
    process.send?.(process.cpuUsage());
  }
});
process.send?.(service.port);
