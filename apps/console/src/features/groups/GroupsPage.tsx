import { PlusOutlined } from '@ant-design/icons';
import type { Group } from '@kaptain/contract/groups';
import { Button } from 'antd';
import { useGroups } from '../../api/groups.ts';
import { EmptyState } from '../../shared/EmptyState.tsx';
import { PageHeader } from '../../shared/PageHeader.tsx';
import { TableSkeleton } from '../../shared/PageSkeleton.tsx';
import { ResultCount, Toolbar } from '../../shared/Toolbar.tsx';
import { useDialog } from '../../shared/use-dialog.ts';
import { useWords } from '../../variants/use-variant.ts';
import { GroupDialog } from './GroupDialog.tsx';
import { GroupsTable } from './GroupsTable.tsx';

const noun = { one: 'group', many: 'groups' };

export function GroupsPage() {
  const { kapsule } = useWords();
  const query = useGroups();
  const dialog = useDialog<Group | 'new'>();
  // Spec 8: a failed load is an empty list, silently.
  const groups = query.isError ? [] : (query.data ?? []);
  const create = (
    <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => dialog.open('new')}>
      Create Group
    </Button>
  );

  return (
    <>
      <PageHeader
        title="Groups"
        description={`A group gives its users READ or DELETE on its ${kapsule.many}.`}
        actions={create}
      />
      {query.isPending && <TableSkeleton />}
      {!query.isPending && groups.length === 0 && (
        <EmptyState
          title="No groups to show"
          action={
            <Button loading={query.isFetching} onClick={() => void query.refetch()}>
              Retry
            </Button>
          }
        >
          {`Without a group a USER sees only the ${kapsule.many} they own. Create one to share some.`}
        </EmptyState>
      )}
      {groups.length > 0 && (
        <>
          <Toolbar>
            <ResultCount shown={groups.length} total={groups.length} noun={noun} />
          </Toolbar>
          <GroupsTable groups={groups} onEdit={dialog.open} />
        </>
      )}
      {dialog.about && <GroupDialog dialog={dialog} about={dialog.about} groups={groups} />}
    </>
  );
}
