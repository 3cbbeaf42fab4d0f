import { ImportOutlined, PlusOutlined } from '@ant-design/icons';
import type { User } from '@kaptain/contract/users';
import { Button } from 'antd';
import { useUsers } from '../../api/users.ts';
import { EmptyState } from '../../shared/EmptyState.tsx';
import { PageHeader } from '../../shared/PageHeader.tsx';
import { TableSkeleton } from '../../shared/PageSkeleton.tsx';
import { SearchBox } from '../../shared/SearchBox.tsx';
import { SilentFailure } from '../../shared/SilentFailure.tsx';
import { useScreenUser } from '../../shared/session-storage.ts';
import { ResultCount, Toolbar } from '../../shared/Toolbar.tsx';
import { useAskedAction } from '../../shared/use-asked-action.ts';
import { useDebouncedText } from '../../shared/use-debounced-text.ts';
import { useDialog } from '../../shared/use-dialog.ts';
import { useUrlState } from '../../shared/use-url-state.ts';
import { useWords } from '../../variants/use-variant.ts';
import { ImportUsersDialog } from './ImportUsersDialog.tsx';
import { UserDialog } from './UserDialog.tsx';
import { UserSessions } from './UserSessions.tsx';
import { UsersTable } from './UsersTable.tsx';
import { matchingUsers } from './user-rules.ts';

const initial = { q: '' };
const noun = { one: 'user', many: 'users' };

export function UsersPage() {
  const { kapsule, service } = useWords();
  const me = useScreenUser();
  const [{ q }, setSearch] = useUrlState(initial);
  const [typed, setTyped] = useDebouncedText(q, (text) => setSearch({ q: text }));
  const query = useUsers();
  const dialog = useDialog<User | 'new'>();
  const sessions = useDialog<User>();
  const importing = useDialog<true>();
  useAskedAction(() => dialog.open('new'));
  if (!me) return null;

  // Spec 8: a failed load is an empty list, silently.
  const all = query.isError ? [] : (query.data ?? []);
  const shown = matchingUsers(all, q);
  return (
    <>
      <PageHeader
        title="Users"
        description={`Who may log in to ${service}. An ADMIN manages everything; a USER sees the ${kapsule.many} they own and those of their groups.`}
        actions={
          <>
            <Button
              icon={<ImportOutlined aria-hidden />}
              disabled={!query.isSuccess}
              onClick={() => importing.open(true)}
            >
              Import CSV
            </Button>
            <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => dialog.open('new')}>
              Create User
            </Button>
          </>
        }
      />
      {query.isPending && <TableSkeleton />}
      {query.isError && (
        <SilentFailure
          title="No users to show"
          isFetching={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {all.length > 0 && (
        <>
          <Toolbar>
            <SearchBox label="Search by user name" value={typed} onChange={setTyped} />
            <ResultCount shown={shown.length} total={all.length} noun={noun} />
          </Toolbar>
          {shown.length > 0 ? (
            <UsersTable users={shown} all={all} me={me} onEdit={dialog.open} onSessions={sessions.open} />
          ) : (
            <EmptyState
              title={`No user matches “${q}”`}
              action={<Button onClick={() => setSearch({ q: '' })}>Clear the search</Button>}
            >
              The search looks at the user name.
            </EmptyState>
          )}
        </>
      )}
      <UserSessions dialog={sessions} />
      {importing.about && <ImportUsersDialog dialog={importing} users={all} />}
      {dialog.about && <UserDialog dialog={dialog} about={dialog.about} all={all} me={me} />}
    </>
  );
}
