import { useChangesPerDay } from '../../api/granules.ts';
import { SparkBars } from '../../shared/SparkBars.tsx';
import styles from './Granules.module.css';
import { lastDays } from './last-days.ts';

const DAYS = 30;

export function ChangesChart({ kapsuleId, isWanted }: { kapsuleId: string; isWanted: boolean }) {
  const { data, isError, dataUpdatedAt } = useChangesPerDay(kapsuleId, DAYS, { enabled: isWanted });
  if (isError) return null;
  // An empty card keeps the place, so that nothing moves when the answer arrives.
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
