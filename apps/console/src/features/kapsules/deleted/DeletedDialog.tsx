import { limits } from '@kaptain/contract/limits';
import { Button, Modal, Spin } from 'antd';
import { useDeletedKapsules } from '../../../api/deleted-kapsules.ts';
import { EmptyState } from '../../../shared/EmptyState.tsx';
import { ErrorPanel } from '../../../shared/ErrorPanel.tsx';
import { useScreenUser } from '../../../shared/session-storage.ts';
import type { Dialog } from '../../../shared/use-dialog.ts';
import { useWords } from '../../../variants/use-variant.ts';
import styles from './Deleted.module.css';
import { DeletedRow } from './DeletedRow.tsx';

/** Lists the deleted kapsules; each can be restored or deleted for good. */
export function DeletedDialog({ dialog }: { dialog: Dialog<true> }) {
  const { kapsule } = useWords();
  const isAdmin = useScreenUser()?.role === 'ADMIN';
  const { data, error, refetch, isPending, isError } = useDeletedKapsules();
  return (
    <Modal
      open={dialog.isOpen}
      title={`Deleted ${kapsule.many}`}
      footer={<Button onClick={dialog.close}>Close</Button>}
      onCancel={dialog.close}
      afterClose={dialog.forget}
      width={720}
    >
      {isPending && <Spin />}
      {isError && (
        <ErrorPanel
          title={`The deleted ${kapsule.many} could not be loaded`}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {data?.length === 0 && !isError && (
        <EmptyState title={`No deleted ${kapsule.many}`}>
          {`${isAdmin ? 'What is deleted' : `Your own deleted ${kapsule.many}`} can be restored here for ${limits.restoreDays} days.`}
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <ul className={styles['list']} aria-label={`Deleted ${kapsule.many}`}>
          {data.map((entry) => (
            <DeletedRow key={entry._id} entry={entry} onRestored={dialog.close} />
          ))}
        </ul>
      )}
    </Modal>
  );
}
