import { start } from '../../apps/service/src/start.ts';

/** The service in one process, without a supervisor; tells its parent its port, and the processor time it has used. */
const service = await start(process.env);
process.on('message', (message) => {
  if (message === 'stop') void service.stop().then(() => process.exit(0));
  else process.send?.(process.cpuUsage());
});
process.send?.(service.port);
