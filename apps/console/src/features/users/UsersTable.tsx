import type { SessionUser } from '@kaptain/contract/session';
import type { User } from '@kaptain/contract/users';
import { CellText } from '../../shared/CellText.tsx';
import { CopyText } from '../../shared/CopyText.tsx';
import { byNumber, byText, type Column, DataTable } from '../../shared/DataTable.tsx';
import { actionsWidth } from '../../shared/RowActions.tsx';
import { useTable } from '../../shared/use-table.ts';
import { useUrlState } from '../../shared/use-url-state.ts';
import { StatusTag } from './StatusTag.tsx';
import { UserActions } from './UserActions.tsx';
import { UserDetails } from './UserDetails.tsx';
import styles from './UsersTable.module.css';

interface Props {
  users: readonly User[];
  /** Includes users that the search hides: all are needed to find the last ADMIN. */
  all: readonly User[];
  me: SessionUser;
  onEdit: (user: User) => void;
  onSessions: (user: User) => void;
}

// Spec 2: exactly these columns; the open row and the dialog show the other values.
const columnsFor = ({ all, me, onEdit, onSessions }: Props): Column<User>[] => [
  {
    key: 'userId',
    title: 'User ID',
    className: styles['id'] ?? '',
    width: 150,
    grows: 2,
    leaveOut: 2,
    sorter: byText(({ userId }) => userId),
    render: (_, { userId }) => <CopyText text={userId} />,
  },
  {
    key: 'username',
    title: 'User Name',
    width: 160,
    grows: 2,
    isFixed: true,
    sorter: byText(({ username }) => username),
    render: (_, { username, userId }) => (
      <CellText>
        <strong>
          {username}
          {userId === me.userId && <span className={styles['you']}> (you)</span>}
        </strong>
      </CellText>
    ),
  },
  {
    key: 'role',
    title: 'Role',
    width: 100,
    leaveOut: 1,
    dataIndex: 'role',
    sorter: byText(({ role }) => role),
  },
  {
    key: 'status',
    title: 'Status',
    width: 104,
    sorter: byNumber(({ isLocked }) => Number(isLocked)),
    render: (_, user) => <StatusTag user={user} />,
  },
  {
    key: 'actions',
    title: <span className="visually-hidden">Actions</span>,
    fixed: 'right',
    isFixed: true,
    width: actionsWidth(5),
    render: (_, user) => (
      <UserActions user={user} all={all} me={me} onEdit={onEdit} onSessions={onSessions} />
    ),
  },
];

const nameOf = ({ username }: User) => username;
const detailsOf = (user: User) => <UserDetails user={user} />;
const closed = { open: '' };

export function UsersTable(props: Props) {
  const table = useTable('users', columnsFor(props), { controls: 1 });
  const [{ open }, setOpen] = useUrlState(closed);
  return (
    <DataTable
      label="Users"
      rows={props.users}
      table={table}
      rowKey="userId"
      initialSort="username"
      nameOf={nameOf}
      expandable={{
        expandedRowKeys: open ? [open] : [],
        onExpand: (isOpen, { userId }) => setOpen({ open: isOpen ? userId : '' }),
        expandedRowRender: detailsOf,
      }}
    />
  );
}
