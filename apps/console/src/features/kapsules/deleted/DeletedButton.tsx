import type { Kapsule } from '@kaptain/contract/kapsules';
import { Button } from 'antd';
import { Suspense } from 'react';
import { isRestorable, useDeletedKapsules } from '../../../api/deleted-kapsules.ts';
import { lazyPart } from '../../../api/load-code.ts';
import { useDialog } from '../../../shared/use-dialog.ts';

const DeletedDialog = lazyPart('DeletedDialog', () => import('./DeletedDialog.tsx'));

/**
 * Opens the list of deleted kapsules. It is fetched when it is opened, or when there are no others; another service has
 * no such list, and no button.
 */
export function DeletedButton({ kapsules }: { kapsules: readonly Kapsule[] }) {
  const dialog = useDialog<true>();
  const isEmpty = kapsules.length === 0;
  const { data } = useDeletedKapsules({ enabled: isEmpty || dialog.isOpen });
  if (isEmpty ? !data : !kapsules.some(isRestorable)) return null;
  return (
    <>
      <Button onClick={() => dialog.open(true)}>
        {data && data.length > 0 ? `Deleted (${data.length})` : 'Deleted'}
      </Button>
      <Suspense fallback={null}>{dialog.about && <DeletedDialog dialog={dialog} />}</Suspense>
    </>
  );
}
