import { LogoutOutlined } from '@ant-design/icons';
import type { UserSession } from '@kaptain/contract/account';
import { Table, Tag } from 'antd';
import { byText, type Column, DataTable } from './DataTable.tsx';
import { deviceOf } from './device-of.ts';
import { Hint } from './Hint.tsx';
import { IconAction } from './IconAction.tsx';
import { networkOf } from './network-of.ts';
import { actionsWidth, RowActions } from './RowActions.tsx';
import { TIME_WIDTH, TimeText } from './TimeText.tsx';
import { useConfirm } from './use-confirm.tsx';
import { useTable } from './use-table.ts';

interface Props {
  label: string;
  /** The name under which the chosen columns are remembered. */
  name: string;
  sessions: readonly UserSession[];
  onEnd: (id: string) => Promise<unknown>;
}

function EndSession({ session, onEnd }: { session: UserSession; onEnd: Props['onEnd'] }) {
  const confirm = useConfirm();
  const device = deviceOf(session.userAgent);
  return (
    <RowActions of={device}>
      <IconAction
        title="End session"
        label={`End session: ${device}, ${session.ip}`}
        icon={<LogoutOutlined />}
        danger
        blockedBy={session.current ? 'This is the session you use now: log out instead.' : undefined}
        onClick={() =>
          confirm({
            title: 'Are you sure to end this session?',
            content: `${device}, ${session.ip}: it is logged out at once.`,
            done: 'The session has ended.',
            run: () => onEnd(session._id),
          })
        }
      />
    </RowActions>
  );
}

const columnsFor = (onEnd: Props['onEnd']): Column<UserSession>[] => [
  {
    key: 'device',
    title: 'Device',
    width: 220,
    grows: 1,
    isFixed: true,
    render: (_, { userAgent, current }) => (
      <>
        <Hint title={userAgent}>
          <span tabIndex={0}>{deviceOf(userAgent)}</span>
        </Hint>{' '}
        {current && <Tag color="success">This session</Tag>}
      </>
    ),
  },
  {
    key: 'ip',
    title: 'Place',
    width: 230,
    leaveOut: 2,
    render: (_, { ip }) => (
      <>
        <code>{ip}</code> ({networkOf(ip)})
      </>
    ),
  },
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
  {
    key: 'actions',
    title: <span className="visually-hidden">Actions</span>,
    fixed: 'right',
    isFixed: true,
    width: actionsWidth(1),
    render: (_, session) => <EndSession session={session} onEnd={onEnd} />,
  },
];

/** Sessions with their device and place; each but the present one can be ended. */
export function SessionsTable({ label, name, sessions, onEnd }: Props) {
  const table = useTable(name, columnsFor(onEnd));
  return <DataTable label={label} rows={sessions} table={table} rowKey="_id" initialSort="-lastSeenAt" />;
}

/** The same in a drawer, where order and page belong to the table of the page behind it. */
export function SessionsInDrawer({ label, sessions, onEnd }: Omit<Props, 'name'>) {
  return (
    <Table<UserSession>
      aria-label={label}
      size="middle"
      rowKey="_id"
      dataSource={sessions}
      columns={columnsFor(onEnd).map(({ key, title, width, render }) => ({
        key,
        title,
        width,
        ...(render && { render }),
      }))}
      pagination={false}
      scroll={{ x: 'max-content' }}
    />
  );
}
