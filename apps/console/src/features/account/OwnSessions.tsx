import type { OwnSession } from '@kaptain/contract/account';
import { Button, Tag, Tooltip } from 'antd';
import { useEndOtherSessions, useOwnSessions } from '../../api/account.ts';
import { byText, type Column, DataTable } from '../../shared/DataTable.tsx';
import { ErrorPanel } from '../../shared/ErrorPanel.tsx';
import { TableSkeleton } from '../../shared/PageSkeleton.tsx';
import { TIME_WIDTH, TimeText } from '../../shared/TimeText.tsx';
import { useConfirm } from '../../shared/use-confirm.tsx';
import { useTable } from '../../shared/use-table.ts';
import styles from './Account.module.css';
import { deviceOf } from './device-of.ts';

const columns: Column<OwnSession>[] = [
  {
    key: 'device',
    title: 'Device',
    width: 220,
    grows: 1,
    isFixed: true,
    render: (_, { userAgent, current }) => (
      <>
        <Tooltip title={userAgent}>{deviceOf(userAgent)}</Tooltip>{' '}
        {current && <Tag color="success">This session</Tag>}
      </>
    ),
  },
  { key: 'ip', title: 'Address', width: 160, leaveOut: 2, render: (_, { ip }) => <code>{ip}</code> },
  {
    key: 'createdAt',
    title: 'Logged in',
    width: TIME_WIDTH,
    leaveOut: 1,
    sorter: byText(({ createdAt }) => createdAt),
    render: (_, { createdAt }) => <TimeText value={createdAt} />,
  },
  {
    key: 'lastSeenAt',
    title: 'Last seen',
    width: TIME_WIDTH,
    sorter: byText(({ lastSeenAt }) => lastSeenAt),
    render: (_, { lastSeenAt }) => <TimeText value={lastSeenAt} />,
  },
];

export function OwnSessions() {
  const table = useTable('sessions', columns);
  const query = useOwnSessions();
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
        <DataTable
          label="Where you are logged in"
          rows={sessions}
          table={table}
          rowKey="_id"
          initialSort="-lastSeenAt"
        />
      )}
    </section>
  );
}
