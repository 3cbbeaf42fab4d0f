import { Button } from 'antd';
import { useEndOtherSessions, useEndSession, useOwnSessions } from '../../api/account.ts';
import { ErrorPanel } from '../../shared/ErrorPanel.tsx';
import { TableSkeleton } from '../../shared/PageSkeleton.tsx';
import { SessionsTable } from '../../shared/SessionsTable.tsx';
import { useConfirm } from '../../shared/use-confirm.tsx';
import styles from './Account.module.css';

export function OwnSessions() {
  const query = useOwnSessions();
  const end = useEndSession();
  const endOthers = useEndOtherSessions();
  const confirm = useConfirm();
  const sessions = query.data ?? [];
  const others = sessions.filter(({ current }) => !current).length;

  return (
    <section className={styles['sessions']} aria-labelledby="own-sessions">
      <header>
        <h2 id="own-sessions">Where you are logged in</h2>
        <Button
          disabled={others === 0}
          onClick={() =>
            confirm({
              title: 'Are you sure to sign out elsewhere?',
              content: `${others === 1 ? '1 other session ends' : `${others} other sessions end`} at once. You stay logged in here.`,
              done: 'You are signed out everywhere else.',
              run: () => endOthers.mutateAsync(),
            })
          }
        >
          Sign out elsewhere
        </Button>
      </header>
      {query.isPending && <TableSkeleton />}
      {query.isError && (
        <ErrorPanel
          title="Your sessions could not be loaded"
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.isSuccess && (
        <SessionsTable
          label="Where you are logged in"
          name="sessions"
          sessions={sessions}
          onEnd={(id) => end.mutateAsync(id)}
        />
      )}
    </section>
  );
}
