import { Button } from 'antd';
import { Suspense } from 'react';
import { useDeletedKapsules } from '../../../api/deleted-kapsules.ts';
import { lazyPart } from '../../../api/load-code.ts';
import { useDialog } from '../../../shared/use-dialog.ts';

const DeletedDialog = lazyPart('DeletedDialog', () => import('./DeletedDialog.tsx'));

/** Opens the list of deleted kapsules. Another service has no such list, and no button. */
export function DeletedButton() {
  const { data = [], isError } = useDeletedKapsules();
  const dialog = useDialog<true>();
  if (isError) return null;
  return (
    <>
      <Button onClick={() => dialog.open(true)}>
        {data.length === 0 ? 'Deleted' : `Deleted (${data.length})`}
      </Button>
      <Suspense fallback={null}>{dialog.about && <DeletedDialog dialog={dialog} />}</Suspense>
    </>
  );
}
