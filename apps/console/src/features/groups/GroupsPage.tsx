import { PlusOutlined } from '@ant-design/icons';
import type { Group } from '@kaptain/contract/groups';
import { Button } from 'antd';
import { useAuthorities } from '../../api/authorities.ts';
import { useGroups } from '../../api/groups.ts';
import { EmptyState } from '../../shared/EmptyState.tsx';
import { PageHeader } from '../../shared/PageHeader.tsx';
import { TableSkeleton } from '../../shared/PageSkeleton.tsx';
import { SilentFailure } from '../../shared/SilentFailure.tsx';
import { ResultCount, Toolbar } from '../../shared/Toolbar.tsx';
import { useAskedAction } from '../../shared/use-asked-action.ts';
import { useDialog } from '../../shared/use-dialog.ts';
import { useWords } from '../../variants/use-variant.ts';
import { GroupDialog } from './GroupDialog.tsx';
import { GroupsTable } from './GroupsTable.tsx';

const oneOf = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const noun = { one: 'group', many: 'groups' };

export function GroupsPage() {
  const { kapsule } = useWords();
  const query = useGroups();
  const authorities = useAuthorities();
  const dialog = useDialog<Group | 'new'>();
  useAskedAction(() => dialog.open('new'));
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
        description={`A group gives its users ${oneOf.format(authorities)} on its ${kapsule.many}.`}
        actions={create}
      />
      {query.isPending && <TableSkeleton />}
      {query.isError && (
        <SilentFailure
          title="No groups to show"
          isFetching={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.isSuccess && groups.length === 0 && (
        <EmptyState
          title="No groups yet"
          action={<Button onClick={() => dialog.open('new')}>Create the first group</Button>}
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
