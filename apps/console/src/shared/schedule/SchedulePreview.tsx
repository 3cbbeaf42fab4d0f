import { useEffect, useEffectEvent } from 'react';
import { NextRuns } from './NextRuns.tsx';
import styles from './Schedule.module.css';
import { scheduleSentence } from './schedule-plan.ts';
import type { PreviewProps } from './schedule-values.ts';

interface Props extends PreviewProps {
  cron: string | null;
  timeZone: string;
  isPaused: boolean;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The schedule in the form as a sentence, with its next three runs. */
export function SchedulePreview({ cron, timeZone, isPaused, preview, onPreview }: Props) {
  const ask = useEffectEvent(onPreview);
  useEffect(() => ask(cron, timeZone), [cron, timeZone]);
  const { runs, problem } = preview;
  return (
    <div className={styles['preview']} role="status">
      {cron !== null && <p>{`${capital(scheduleSentence(cron, timeZone))}.`}</p>}
      {problem !== undefined && <p className={styles['problem']}>{problem}</p>}
      {problem === undefined && isPaused && <p>Paused: no reload is started.</p>}
      {problem === undefined && !isPaused && runs.length > 0 && (
        <>
          <p>Next, in your time zone:</p>
          <NextRuns runs={runs} />
        </>
      )}
    </div>
  );
}
