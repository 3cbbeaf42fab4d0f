import { TimeText } from '../TimeText.tsx';
import styles from './Schedule.module.css';

/** The next runs, in the time zone of the browser. */
export function NextRuns({ runs }: { runs: readonly string[] }) {
  return (
    <ol className={styles['runs']} aria-label="Next runs">
      {runs.map((run) => (
        <li key={run}>
          <TimeText value={run} />
        </li>
      ))}
    </ol>
  );
}
