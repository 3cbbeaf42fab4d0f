import { Metrics } from '../../apps/service/src/metrics/metrics.ts';
import { start } from '../../apps/service/src/start.ts';

/**
 * A service with metrics that its parent turns off and on again: two services would differ by the place of their code and data
 * in memory, which costs more than metrics do. Tells its parent its port, and the processor time that the process has used.
 */
const observe = Metrics.prototype.observeAnswer;
const ignore: typeof observe = () => undefined;
const service = await start(process.env);
process.on('message', (message) => {
  if (message === 'stop') void service.stop().then(() => process.exit(0));
  else {
    Metrics.prototype.observeAnswer = message === 'on' ? observe : ignore;
    process.send?.(process.cpuUsage());
  }
});
process.send?.(service.port);
