import type { User } from '@kaptain/contract/users';
import { Button, Drawer } from 'antd';
import { useEndUserSessions, useUserSessions } from '../../api/users.ts';
import { EmptyState } from '../../shared/EmptyState.tsx';
import { ErrorPanel } from '../../shared/ErrorPanel.tsx';
import { TableSkeleton } from '../../shared/PageSkeleton.tsx';
import { SessionsInDrawer } from '../../shared/SessionsTable.tsx';
import { useConfirm } from '../../shared/use-confirm.tsx';
import type { Dialog } from '../../shared/use-dialog.ts';
import styles from './UserSessions.module.css';

function Sessions({ user: { userId, username } }: { user: User }) {
  const query = useUserSessions(userId);
  const end = useEndUserSessions(userId);
  const confirm = useConfirm();
  const sessions = query.data ?? [];
  const others = sessions.filter(({ current }) => !current);

  if (query.isPending) return <TableSkeleton />;
  if (query.isError)
    return (
      <ErrorPanel
        title="The sessions could not be loaded"
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  if (sessions.length === 0)
    return <EmptyState title="No sessions">{`${username} is not logged in anywhere.`}</EmptyState>;
  return (
    <>
      <p className={styles['all']}>
        <Button
          danger
          disabled={others.length === 0}
          onClick={() =>
            confirm({
              title: `Are you sure to end all sessions of ${username}?`,
              content:
                'They are logged out everywhere at once, without saving; only the session you use now stays.',
              done: `The sessions of ${username} have ended.`,
              run: () => end.mutateAsync(undefined),
            })
          }
        >
          End all sessions
        </Button>
      </p>
      <SessionsInDrawer
        label={`Sessions of ${username}`}
        sessions={sessions}
        onEnd={(id) => end.mutateAsync(id)}
      />
    </>
  );
}

/** Where a user is logged in, for an ADMIN. */
export function UserSessions({ dialog }: { dialog: Dialog<User> }) {
  const { about, isOpen, close, forget } = dialog;
  return (
    <Drawer
      open={isOpen}
      onClose={close}
      afterOpenChange={(open) => !open && forget()}
      size={960}
      title={about && `Sessions of ${about.username}`}
    >
      {about && <Sessions key={about.userId} user={about} />}
    </Drawer>
  );
}
