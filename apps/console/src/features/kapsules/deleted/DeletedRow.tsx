import { ApiError } from '@kaptain/contract/client';
import type { DeletedKapsule } from '@kaptain/contract/deleted-kapsules';
import { DEFAULT_DATABASE } from '@kaptain/contract/vocabulary';
import { Alert, App, Button, Input } from 'antd';
import { useState } from 'react';
import { usePurgeKapsule, useRestoreKapsule } from '../../../api/deleted-kapsules.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { TimeText } from '../../../shared/TimeText.tsx';
import { useConfirm } from '../../../shared/use-confirm.tsx';
import { useWords } from '../../../variants/use-variant.ts';
import styles from './Deleted.module.css';

interface Props {
  entry: DeletedKapsule;
  onRestored: () => void;
}

/** The service refuses a name that is taken, and accepts another one. */
const isNameTaken = (error: unknown): boolean =>
  error instanceof ApiError && (error.details as { field?: unknown } | undefined)?.field === 'name';

/** One deleted kapsule: what it was, until when it can be restored, and both ways out. */
export function DeletedRow({ entry, onRestored }: Props) {
  const words = useWords();
  const { message } = App.useApp();
  const confirm = useConfirm();
  const restore = useRestoreKapsule();
  const purge = usePurgeKapsule();
  const {
    _id: id,
    name,
    owner,
    database,
    tableName,
    granules,
    deletedAt,
    deletedBy,
    purgeAt,
    dropsTable,
  } = entry;
  const [newName, setNewName] = useState(`${name} (restored)`);
  // Kept during the next attempt, so that the field for the name stays with its focus.
  const [refusal, setRefusal] = useState<unknown>();
  // Stays after another failure, such as a lost connection: the entered name can be tried again.
  const [isTaken, setTaken] = useState(false);
  const isElsewhere = database !== DEFAULT_DATABASE;

  // Awaited, because the callbacks of `mutate` are dropped with a row that leaves the list meanwhile.
  const bringBack = async (otherName?: string) => {
    if (restore.isPending) return;
    try {
      const kapsule = await restore.mutateAsync({ id, ...(otherName !== undefined && { name: otherName }) });
      void message.success(`${kapsule.name} is restored.`);
      onRestored();
    } catch (error) {
      setRefusal(error);
      if (isNameTaken(error)) setTaken(true);
      // Restored or purged in another place: the row leaves the list, and its warning with it.
      if (error instanceof ApiError && error.status === 404)
        void message.error(`${name} is no longer among the deleted ${words.kapsule.many}.`);
    }
  };

  return (
    <li>
      <div className={styles['about']}>
        <strong>{name}</strong>
        <p>
          {granules === undefined
            ? `Table ${tableName} on ${database}`
            : `${granules.toLocaleString('en-US')} ${granules === 1 ? words.granule.one : words.granule.many}`}
          {`, owned by ${owner}`}
        </p>
        <p>
          Deleted <TimeText value={deletedAt} /> {`by ${deletedBy}`}
        </p>
        <p>
          Can be restored until <TimeText value={purgeAt} />
          {isElsewhere && (dropsTable ? '; then its table is deleted' : '; its table stays')}
        </p>
      </div>
      <div className={styles['actions']}>
        <Button
          type="primary"
          size="small"
          aria-label={`Restore ${name}`}
          loading={restore.isPending}
          onClick={() => void bringBack()}
        >
          Restore
        </Button>
        <Button
          danger
          size="small"
          aria-label={`Delete for good: ${name}`}
          onClick={() =>
            confirm({
              title: `Are you sure to delete ${name} for good?`,
              content: `This can’t be undone. Lost are the ${words.kapsule.one}, the stored ${words.granule.many} and their history${
                isElsewhere && dropsTable ? ', with the table' : ''
              }.`,
              done: `${name} is deleted for good.`,
              run: () => purge.mutateAsync(id),
            })
          }
        >
          Delete for good
        </Button>
      </div>
      {refusal !== undefined && (
        <div className={styles['taken']}>
          <Alert type="warning" showIcon title={messageOf(refusal)} />
          {isTaken && (
            <form
              className={styles['rename']}
              onSubmit={(event) => {
                event.preventDefault();
                if (newName.trim() !== '') void bringBack(newName.trim());
              }}
            >
              <Input
                autoFocus
                aria-label={`New name of ${name}`}
                value={newName}
                maxLength={255}
                onChange={({ target }) => setNewName(target.value)}
              />
              <Button htmlType="submit" disabled={newName.trim() === ''} loading={restore.isPending}>
                Restore under this name
              </Button>
            </form>
          )}
        </div>
      )}
    </li>
  );
}
