import { printNow } from '../../../testing/print-now.ts';
import type { PostgresOptions } from '../config.ts';
import { open } from '../open.ts';
import { increment } from './increment.ts';

/** A process of its own for the tests: `child.ts <options> <task> [count]`; each line it prints has happened. */
const [options = '{}', task = '', count = '0'] = process.argv.slice(2);

printNow('opening');
const store = await open(JSON.parse(options) as PostgresOptions);
printNow('open');
if (task === 'increment') {
  await increment(store, Number(count));
}
await store.close();
printNow('done');
