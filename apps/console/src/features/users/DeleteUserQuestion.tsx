import type { User } from '@kaptain/contract/users';
import { Alert } from 'antd';
import { useState } from 'react';
import { useKapsules } from '../../api/kapsules.ts';
import { UserSelect } from '../../shared/UserSelect.tsx';
import { useWords } from '../../variants/use-variant.ts';
import styles from './DeleteUserQuestion.module.css';
import { ownedWarning } from './user-rules.ts';

interface Props {
  user: User;
  all: readonly User[];
  onNewOwner: (userId: string | undefined) => void;
}

/** Tells what a deletion takes away; the kapsules of the user can get a new owner in the same step. */
export function DeleteUserQuestion({ user, all, onNewOwner }: Props) {
  const { kapsule } = useWords();
  const { data: kapsules = [] } = useKapsules();
  const [newOwner, setNewOwner] = useState<string>();
  const owned = kapsules.filter(({ ownerId }) => ownerId === user.userId);
  return (
    <div className={styles['question']}>
      <p>The account, its sessions, its API keys and its place in groups are gone at once.</p>
      {owned.length > 0 && (
        <>
          <Alert
            type="warning"
            showIcon
            title={ownedWarning(
              user.username,
              owned.map(({ name }) => name),
              kapsule,
            )}
          />
          <label htmlFor="new-owner">New owner</label>
          <UserSelect
            id="new-owner"
            allowClear
            placeholder="None"
            users={all.filter(({ userId }) => userId !== user.userId)}
            {...(newOwner !== undefined && { value: newOwner })}
            onChange={(userId: string | undefined) => {
              setNewOwner(userId);
              onNewOwner(userId);
            }}
          />
        </>
      )}
    </div>
  );
}
