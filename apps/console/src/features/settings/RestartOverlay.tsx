import { Button, Spin } from 'antd';
import styles from './Settings.module.css';
import type { Apply } from './use-apply.ts';

/** Covers the page while the service restarts, because the reload would discard entered values. */
export function RestartOverlay({ phase, progress }: Pick<Apply, 'phase' | 'progress'>) {
  if (phase === 'idle') return null;
  return (
    <div className={styles['overlay']} role="status">
      <div className={styles['silent']}>
        {phase === 'restarting' ? (
          <>
            <Spin />
            <p>The service is restarting…</p>
            {progress && (
              <p>
                Its instances restart one after the other: {progress.done} of {progress.all} have restarted.
              </p>
            )}
          </>
        ) : (
          <>
            <h2>The service does not answer</h2>
            <p>It was asked to restart and has been silent since. Look at its system log on the host.</p>
            <Button type="primary" onClick={() => location.reload()}>
              Reload
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
