import cluster from 'node:cluster';
import { supervise } from '../supervisor/supervise.ts';
import { work } from '../supervisor/work.ts';

/** As main.ts, for tests that log in: the cost of their passwords is not what they prove. */
if (cluster.isPrimary) supervise(import.meta.filename);
else await work({ memoryKiB: 64, rounds: 1 });
