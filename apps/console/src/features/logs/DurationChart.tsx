import { useLogs } from '../../api/logs.ts';
import { SparkBars } from '../../shared/SparkBars.tsx';
import { durationsOf } from './durations.ts';
import styles from './Logs.module.css';
import { filterOf, type LogState } from './log-state.ts';

const READ = 100;
const LIVE_MS = 15_000;

/** Draws how long the last runs took: a reload that becomes slower stands out. */
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
  // An empty card keeps the place, so that nothing moves when the answer arrives.
  if (isPending) return <div className={styles['card']} />;
  const chart = durationsOf(data?.data ?? []);
  if (!chart) return null;
  return (
    <div className={styles['card']}>
      <SparkBars unit="ms" over="Run" {...chart} />
    </div>
  );
}
