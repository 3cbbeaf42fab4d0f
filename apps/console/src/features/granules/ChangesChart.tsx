import { useChangesPerDay } from '../../api/granules.ts';
import { SparkBars } from '../../shared/SparkBars.tsx';
import styles from './Granules.module.css';

const DAYS = 30;
const DAY_MS = 86_400_000;

/** Every day up to today (UTC), those without a change too. */
export function lastDays(changes: readonly { day: string; changes: number }[], days: number, now: number) {
  const known = new Map(changes.map((entry) => [entry.day.slice(0, 10), entry.changes]));
  return Array.from({ length: days }, (_, index) => {
    const label = new Date(now - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return { label, value: known.get(label) ?? 0 };
  });
}

export function ChangesChart({ kapsuleId, isWanted }: { kapsuleId: string; isWanted: boolean }) {
  const { data, isError, dataUpdatedAt } = useChangesPerDay(kapsuleId, DAYS, { enabled: isWanted });
  if (isError) return null;
  // The place is kept from the beginning, so that nothing moves when the answer is there.
  if (!data) return <div className={styles['card']} />;
  const bars = lastDays(data, DAYS, dataUpdatedAt);
  const total = bars.reduce((sum, { value }) => sum + value, 0);
  return (
    <div className={styles['card']}>
      <SparkBars
        title="Changes per day"
        unit="changes"
        over="Day"
        bars={bars}
        caption={`${total.toLocaleString('en-US')} in ${DAYS} days (UTC)`}
      />
    </div>
  );
}
