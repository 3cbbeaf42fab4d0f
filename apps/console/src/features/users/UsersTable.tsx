import type { SessionUser } from '@kaptain/contract/session';
import type { User } from '@kaptain/contract/users';
import { CopyText } from '../../shared/CopyText.tsx';
import { byNumber, byText, type Column, DataTable } from '../../shared/DataTable.tsx';
import { StatusTag } from './StatusTag.tsx';
import { UserActions } from './UserActions.tsx';
import styles from './UsersTable.module.css';

interface Props {
  users: readonly User[];
  /** Includes users that the search hides: all are needed to find the last ADMIN. */
  all: readonly User[];
  me: SessionUser;
  onEdit: (user: User) => void;
}

// Spec 2: exactly these columns; the dialog shows the other values.
const columnsFor = ({ all, me, onEdit }: Props): Column<User>[] => [
  {
    key: 'userId',
    title: 'User ID',
    className: styles['id'] ?? '',
    sorter: byText(({ userId }) => userId),
    render: (_, { userId }) => <CopyText text={userId} />,
  },
  {
    key: 'username',
    title: 'User Name',
    sorter: byText(({ username }) => username),
    render: (_, { username, userId }) => (
      <strong>
        {username}
        {userId === me.userId && <span className={styles['you']}> (you)</span>}
      </strong>
    ),
  },
  { key: 'role', title: 'Role', dataIndex: 'role', sorter: byText(({ role }) => role) },
  {
    key: 'status',
    title: 'Status',
    sorter: byNumber(({ isLocked }) => Number(isLocked)),
    render: (_, user) => <StatusTag user={user} />,
  },
  {
    key: 'actions',
    title: <span className="visually-hidden">Actions</span>,
    fixed: 'right',
    width: 1,
    render: (_, user) => <UserActions user={user} all={all} me={me} onEdit={onEdit} />,
  },
];

export function UsersTable(props: Props) {
  return (
    <DataTable
      label="Users"
      rows={props.users}
      columns={columnsFor(props)}
      rowKey="userId"
      initialSort="username"
    />
  );
}
