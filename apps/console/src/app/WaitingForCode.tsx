import type { ReactNode } from 'react';
import { useIsServiceAway } from '../api/reachability.ts';
import styles from './Notice.module.css';

/** Stands in for a part whose code is loading: its outline, or the reason why it takes longer. */
export function WaitingForCode({ children }: { children?: ReactNode }) {
  const isAway = useIsServiceAway();
  if (!isAway) return children;
  return (
    <section className={styles['notice']} role="status">
      <h1>Waiting for the service</h1>
      <p>
        The service does not answer, so this page could not be loaded. It opens as soon as the service
        answers.
      </p>
    </section>
  );
}
