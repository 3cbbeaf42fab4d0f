import { DeleteOutlined, EditOutlined, LockOutlined, PlusOutlined } from '@ant-design/icons';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { limits } from '@kaptain/contract/limits';
import type { Lock } from '@kaptain/contract/locks';
import { mayOpenLock, mayReplaceStructure, maySetWriters } from '@kaptain/contract/permissions';
import type { SessionUser } from '@kaptain/contract/session';
import { App, Button } from 'antd';
import { Suspense } from 'react';
import { useKapsuleOverview } from '../../../api/kapsule-overview.ts';
import { useSetLocks } from '../../../api/kapsules.ts';
import { lazyPart } from '../../../api/load-code.ts';
import { ruled } from '../../../shared/fields/ruled-field.ts';
import { IconAction } from '../../../shared/IconAction.tsx';
import { messageOf } from '../../../shared/message-of.ts';
import { useConfirm } from '../../../shared/use-confirm.tsx';
import { useDialog } from '../../../shared/use-dialog.ts';
import { useWords } from '../../../variants/use-variant.ts';
import type { EditedLock } from './LockDialog.tsx';
import styles from './Locks.module.css';
import { isWhole, wholeLock } from './lock-draft.ts';
import { lockSentence } from './lock-sentence.ts';

const LockDialog = lazyPart('LockDialog', () => import('./LockDialog.tsx'));

/** The locks of a kapsule, for those who may change it. Another service has none. */
export function LocksSection({ kapsule, me }: { kapsule: Kapsule; me: SessionUser }) {
  const words = useWords();
  const { message } = App.useApp();
  const confirm = useConfirm();
  const set = useSetLocks();
  const editing = useDialog<EditedLock>();
  const { data: overview } = useKapsuleOverview(kapsule._id);
  const { locks } = kapsule;
  if (!locks || !mayReplaceStructure(me.role, kapsule)) return null;

  const groups = new Map(overview?.groups.map(({ _id, groupname }) => [_id, groupname]));
  const fields = kapsule.fields.map(ruled);
  const isOwner = maySetWriters(me, kapsule);
  const isFull = locks.length >= limits.locksPerKapsule;
  const blockerOf = (lock: Lock) =>
    mayOpenLock(me, lock, kapsule) ? undefined : 'Only the owner or an ADMIN may change this lock.';
  const close = () =>
    set.mutate(
      { kapsule, locks: [...locks, wholeLock(locks, isOwner ? 'OWNER' : 'DELETE')] },
      {
        onSuccess: () => void message.success(`${kapsule.name} is closed: remove its lock to open it again.`),
        onError: (error) => void message.error(messageOf(error)),
      },
    );
  const remove = (lock: Lock) =>
    confirm({
      title: `Are you sure to remove the lock ${lock.name}?`,
      content: 'What it closes can be changed again at once.',
      done: `The lock ${lock.name} is removed.`,
      run: () => set.mutateAsync({ kapsule, locks: locks.filter((one) => one !== lock) }),
    });

  return (
    <section className={styles['section']} aria-labelledby="locks-title">
      <div className={styles['head']}>
        <h3 id="locks-title">Locks</h3>
        <Button
          size="small"
          icon={<PlusOutlined aria-hidden="true" />}
          disabled={isFull}
          onClick={() => editing.open({ kapsule, locks })}
        >
          Add a lock
        </Button>
        {!locks.some(isWhole) && (
          <Button
            size="small"
            icon={<LockOutlined aria-hidden="true" />}
            disabled={isFull}
            loading={set.isPending}
            onClick={close}
          >
            {`Close this ${words.kapsule.one}`}
          </Button>
        )}
      </div>
      {locks.length === 0 && (
        <p className={styles['hint']}>
          {`None. A lock closes ${words.granule.many} or fields, e.g. those of a month that is settled.`}
        </p>
      )}
      <ul className={styles['locks']}>
        {locks.map((lock, index) => (
          <li key={lock.name}>
            <span>
              <strong>{lock.name}</strong> {lockSentence(lock, { fields, groups, granule: words.granule })}
            </span>
            <span className={styles['actions']}>
              <IconAction
                title="Edit"
                label={`Edit the lock ${lock.name}`}
                icon={<EditOutlined />}
                blockedBy={blockerOf(lock)}
                onClick={() => editing.open({ kapsule, locks, index })}
              />
              <IconAction
                title="Remove"
                label={`Remove the lock ${lock.name}`}
                icon={<DeleteOutlined />}
                danger
                blockedBy={blockerOf(lock)}
                onClick={() => remove(lock)}
              />
            </span>
          </li>
        ))}
      </ul>
      <Suspense fallback={null}>
        {editing.about && (
          <LockDialog dialog={editing} edited={editing.about} groups={groups} mayOpenForOwner={isOwner} />
        )}
      </Suspense>
    </section>
  );
}
