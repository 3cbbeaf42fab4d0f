import type { LogEntry } from '@kaptain/contract/logs';
import type { Bar } from '../../shared/SparkBars.tsx';
import { formatTime, parseTime } from '../../shared/time.ts';
import { formatDuration, timeConsuming } from './time-consuming.ts';

const RUNS = 60;

/** The last successful runs, oldest first. A run without a status counts: another service may send none. */
function finished(entries: readonly LogEntry[]): LogEntry[] {
  const good = entries.filter((entry) => (entry.status ?? 'succeeded') === 'succeeded');
  return good
    .filter((entry) => timeConsuming(entry) > 0)
    .slice(0, RUNS)
    .toReversed();
}

function barsOf(runs: readonly LogEntry[], areAlike: boolean): Bar[] {
  const used = new Map<string, number>();
  return runs.map((entry) => {
    const time = formatTime(parseTime(entry.lastRunAt) ?? new Date(0));
    const label = areAlike ? time : `${time} ${entry.name}`;
    const count = (used.get(label) ?? 0) + 1;
    used.set(label, count);
    return { label: count === 1 ? label : `${label} (${count})`, value: timeConsuming(entry) };
  });
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The chart of the last successful runs; undefined when there are too few to compare. */
export function durationsOf(
  entries: readonly LogEntry[],
): { title: string; bars: Bar[]; caption: string } | undefined {
  const runs = finished(entries);
  if (runs.length < 2) return undefined;
  const areAlike = new Set(runs.map(({ name }) => name)).size === 1;
  const durations = runs.map(timeConsuming);
  const [typical, last] = [formatDuration(median(durations)), formatDuration(durations.at(-1) ?? 0)];
  return {
    title: areAlike ? `Duration of ${runs[0]?.name}` : 'Duration of the last runs',
    bars: barsOf(runs, areAlike),
    caption: `${runs.length} runs, typically ${typical}, last ${last}`,
  };
}
