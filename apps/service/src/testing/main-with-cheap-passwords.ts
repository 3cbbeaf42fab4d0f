import cluster from 'node:cluster';
import { supervise } from '../operations/supervisor/supervise.ts';
import { work } from '../operations/supervisor/work.ts';

/** As main.ts, for tests that log in: the cost of their passwords is not what they prove. */
if (cluster.isPrimary) supervise(import.meta.filename);
else await work(() => import('../start.ts'), { memoryKiB: 64, rounds: 1 });
