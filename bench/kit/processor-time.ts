import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of Linux per second. */
const TICKS = 100;

interface Stat {
  pid: number;
  parent: number;
  ms: number;
}

/** Of all processes; empty where there is no /proc. */
function allProcesses(): Stat[] {
  const stats: Stat[] = [];
  try {
    for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
      try {
        const text = readFileSync(`/proc/${name}/stat`, 'utf8');
        const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
        // Its own time in user and kernel mode, and that of its children that have ended.
        const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
        stats.push({ pid: Number(name), parent: Number(fields[1]), ms: (ticks * 1000) / TICKS });
      } catch {
        // It has ended meanwhile.
      }
    }
  } catch {
    return [];
  }
  return stats;
}

/** The processor time in ms that these processes and all that they have started have used so far. */
export function processorTimes(pids: readonly number[]): number[] {
  const all = allProcesses();
  const sumOf = (pid: number): number =>
    all
      .filter((stat) => stat.pid === pid || stat.parent === pid)
      .reduce((sum, stat) => sum + (stat.pid === pid ? stat.ms : sumOf(stat.pid)), 0);
  return pids.map(sumOf);
}
