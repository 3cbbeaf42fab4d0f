import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useApiKeys } from '../../api/api-keys.ts';
import { useAuthorities } from '../../api/authorities.ts';
import { EmptyState } from '../../shared/EmptyState.tsx';
import { PageHeader } from '../../shared/PageHeader.tsx';
import { TableSkeleton } from '../../shared/PageSkeleton.tsx';
import { SilentFailure } from '../../shared/SilentFailure.tsx';
import { useAskedAction } from '../../shared/use-asked-action.ts';
import { useDialog } from '../../shared/use-dialog.ts';
import { useWords } from '../../variants/use-variant.ts';
import { ApiKeyDialog } from './ApiKeyDialog.tsx';
import { ApiKeysTable } from './ApiKeysTable.tsx';

export function ApiKeysPage() {
  const { granule, platform } = useWords();
  const query = useApiKeys();
  // Asked for before the dialog is opened.
  useAuthorities();
  const dialog = useDialog<'new'>();
  useAskedAction(() => dialog.open('new'));
  // Spec 8: a failed load is an empty list, silently.
  const keys = query.isError ? [] : (query.data ?? []);

  return (
    <>
      <PageHeader
        title="Api Key"
        description={`With an API key a program, for example a ${platform} load script, reads ${granule.many}, and writes and deletes them if the key may. It opens nothing else.`}
        actions={
          <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => dialog.open('new')}>
            Create Api Key
          </Button>
        }
      />
      {query.isPending && <TableSkeleton />}
      {query.isError && (
        <SilentFailure
          title="No API keys to show"
          isFetching={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.isSuccess && keys.length === 0 && (
        <EmptyState
          title="No API keys yet"
          action={<Button onClick={() => dialog.open('new')}>Create the first key</Button>}
        >
          Create one for each program, so that you can take it back alone.
        </EmptyState>
      )}
      {keys.length > 0 && <ApiKeysTable keys={keys} />}
      {dialog.about && <ApiKeyDialog dialog={dialog} />}
    </>
  );
}
