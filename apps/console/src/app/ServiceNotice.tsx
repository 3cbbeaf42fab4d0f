import { useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { useEffect, useRef } from 'react';
import { probeNow, useIsServiceAway } from '../api/reachability.ts';
import styles from './ServiceNotice.module.css';

const EVERY_MS = 30_000;

/** Probes the service while the page is visible, so that an idle page notices that the service is away. */
function useProbes(): void {
  useEffect(() => {
    const probe = () => {
      if (document.visibilityState === 'visible') probeNow();
    };
    const timer = setInterval(probe, EVERY_MS);
    addEventListener('online', probe);
    addEventListener('offline', probe);
    document.addEventListener('visibilitychange', probe);
    return () => {
      clearInterval(timer);
      removeEventListener('online', probe);
      removeEventListener('offline', probe);
      document.removeEventListener('visibilitychange', probe);
    };
  }, []);
}

/** Fetches what the page shows again when the service is back. */
function useFreshAnswers(isAway: boolean): void {
  const queries = useQueryClient();
  const wasAway = useRef(false);
  useEffect(() => {
    if (wasAway.current && !isAway) void queries.invalidateQueries();
    wasAway.current = isAway;
  }, [isAway, queries]);
}

/** Tells that the service does not answer. The page recovers by itself. */
export function ServiceNotice() {
  const isAway = useIsServiceAway();
  useProbes();
  useFreshAnswers(isAway);
  if (!isAway) return null;
  return (
    <div className={styles['notice']} role="alert">
      <strong>Service unreachable</strong>
      <span>The page is brought up to date as soon as the service answers.</span>
      <Button size="small" onClick={probeNow}>
        Try now
      </Button>
    </div>
  );
}
