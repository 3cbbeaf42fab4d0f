import type { LogEntry } from '@kaptain/contract/logs';
import { useLogs } from '../../api/logs.ts';
import { type Bar, SparkBars } from '../../shared/SparkBars.tsx';
import { formatTime, parseTime } from '../../shared/time.ts';
import styles from './Logs.module.css';
import { formatDuration, timeConsuming } from './time-consuming.ts';
import { filterOf, type LogState } from './use-log-state.ts';

const RUNS = 60;
const READ = 100;
const LIVE_MS = 15_000;

/** The runs that came to a good end, oldest first; another service may not say how they ended. */
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

/** How long the last runs took, so that a slowing one is seen at a glance. */
export function DurationChart({ state, filterKey }: { state: LogState; filterKey: Record<string, string> }) {
  const { data, isPending } = useLogs(
    {
      key: { ...filterKey, status: '', of: 'chart' },
      filter: () => ({ ...filterOf(state, Date.now()), status: undefined }),
      page: 1,
      size: READ,
    },
    LIVE_MS,
  );
  // The place is kept from the beginning, so that nothing moves when the answer is there.
  if (isPending) return <div className={styles['card']} />;
  const runs = finished(data?.data ?? []);
  if (runs.length < 2) return null;
  const areAlike = new Set(runs.map(({ name }) => name)).size === 1;
  const durations = runs.map(timeConsuming);
  const [typical, last] = [formatDuration(median(durations)), formatDuration(durations.at(-1) ?? 0)];
  return (
    <div className={styles['card']}>
      <SparkBars
        title={areAlike ? `Duration of ${runs[0]?.name}` : 'Duration of the last runs'}
        unit="ms"
        over="Run"
        bars={barsOf(runs, areAlike)}
        caption={`${runs.length} runs, typically ${typical}, last ${last}`}
      />
    </div>
  );
}
