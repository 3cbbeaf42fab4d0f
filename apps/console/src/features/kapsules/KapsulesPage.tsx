import { PlusOutlined } from '@ant-design/icons';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { Button } from 'antd';
import { Suspense } from 'react';
import { useKapsules } from '../../api/kapsules.ts';
import { lazyPart } from '../../api/load-code.ts';
import { EmptyState } from '../../shared/EmptyState.tsx';
import { ErrorPanel } from '../../shared/ErrorPanel.tsx';
import { mayAdd } from '../../shared/may-add.ts';
import { PageHeader } from '../../shared/PageHeader.tsx';
import { TableSkeleton } from '../../shared/PageSkeleton.tsx';
import { useScreenUser } from '../../shared/session-storage.ts';
import { useAskedAction } from '../../shared/use-asked-action.ts';
import { useDialog } from '../../shared/use-dialog.ts';
import { useWords } from '../../variants/use-variant.ts';
import { ChangeOwner } from './ChangeOwner.tsx';
import { DeletedButton } from './deleted/DeletedButton.tsx';
import { ImportDialog } from './ImportDialog.tsx';
import { KapsulesList } from './KapsulesList.tsx';
import { ReplaceDialog } from './ReplaceDialog.tsx';
import { useLoadFailureMessage } from './use-load-failure-message.ts';

const CreateDialog = lazyPart('CreateDialog', () => import('./CreateDialog.tsx'));
const CopyDialog = lazyPart('CopyDialog', () => import('./CopyDialog.tsx'));

export function KapsulesPage() {
  const { kapsule, granule, database } = useWords();
  const me = useScreenUser();
  const query = useKapsules();
  const adding = useDialog<true>();
  useAskedAction(() => adding.open(true));
  const creating = useDialog<true>();
  const copying = useDialog<Kapsule>();
  const replacing = useDialog<Kapsule>();
  const giving = useDialog<Kapsule>();
  useLoadFailureMessage(query.error);
  if (!me) return null;

  const isAddOffered = mayAdd(me);
  const actions = (
    <>
      {query.isSuccess && <DeletedButton kapsules={query.data} />}
      {isAddOffered && <Button onClick={() => creating.open(true)}>Create</Button>}
      {isAddOffered && (
        <Button type="primary" icon={<PlusOutlined aria-hidden="true" />} onClick={() => adding.open(true)}>
          Add
        </Button>
      )}
    </>
  );
  const choose = isAddOffered && <Button onClick={() => adding.open(true)}>Choose .kap files</Button>;
  // Spec 8: a failed load empties the list, even one that was there before.
  const all = query.isError ? [] : (query.data ?? []);
  return (
    <>
      <PageHeader
        title={kapsule.Many}
        description={`A ${kapsule.one} binds a table of your ${database.many} to its ${granule.many}: the comments people have written on its rows.`}
        actions={actions}
      />
      {query.isError && (
        <ErrorPanel
          title={`The ${kapsule.many} could not be loaded`}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.isPending && <TableSkeleton />}
      {query.isSuccess && all.length === 0 && (
        <EmptyState title={`No ${kapsule.many} yet`} action={choose}>
          {isAddOffered
            ? `Add ${kapsule.many} from .kap files. Those of your groups appear here too.`
            : `The ${kapsule.many} you own and those of your groups appear here.`}
        </EmptyState>
      )}
      {all.length > 0 && (
        <KapsulesList
          kapsules={all}
          me={me}
          onCopy={isAddOffered ? copying.open : undefined}
          onReplace={replacing.open}
          onOwner={giving.open}
        />
      )}
      {adding.about && <ImportDialog dialog={adding} />}
      <Suspense fallback={null}>
        {creating.about && <CreateDialog dialog={creating} />}
        {copying.about && <CopyDialog dialog={copying} kapsule={copying.about} />}
      </Suspense>
      {giving.about && <ChangeOwner dialog={giving} kapsule={giving.about} />}
      {replacing.about && <ReplaceDialog dialog={replacing} kapsule={replacing.about} />}
    </>
  );
}
