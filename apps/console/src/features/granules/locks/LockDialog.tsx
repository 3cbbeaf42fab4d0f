import type { Kapsule } from '@kaptain/contract/kapsules';
import { type Lock, locksProblem } from '@kaptain/contract/locks';
import { App, Form } from 'antd';
import { useState } from 'react';
import { useSetLocks } from '../../../api/kapsules.ts';
import { FormDialog } from '../../../shared/FormDialog.tsx';
import { ruled } from '../../../shared/fields/ruled-field.ts';
import { failureOf } from '../../../shared/message-of.ts';
import type { Dialog } from '../../../shared/use-dialog.ts';
import { LockFields } from './LockFields.tsx';
import { draftOf, type LockDraft, lockOf, newLock } from './lock-draft.ts';

/** A lock of a kapsule as it was when its dialog opened; a new one has no index. */
export interface EditedLock {
  kapsule: Kapsule;
  locks: readonly Lock[];
  index?: number;
}

interface Props {
  dialog: Dialog<EditedLock>;
  edited: EditedLock;
  groups: ReadonlyMap<string, string>;
  /** Whether this user may change locks that only the owner opens again. */
  mayOpenForOwner: boolean;
}

/** Adds or changes a lock. Locks that another user has changed meanwhile are refused. */
export function LockDialog({ dialog, edited, groups, mayOpenForOwner }: Props) {
  const { kapsule, locks, index = locks.length } = edited;
  const { message } = App.useApp();
  const [form] = Form.useForm<LockDraft>();
  const set = useSetLocks();
  const [problem, setProblem] = useState<string>();
  const fields = kapsule.fields.map(ruled);
  const before = locks[index];

  const save = () => {
    const lock = lockOf({ ...newLock, ...(form.getFieldsValue(true) as LockDraft) }, fields);
    const all = locks.toSpliced(index, 1, lock);
    const found = locksProblem(all, fields);
    setProblem(found);
    if (found !== undefined) return;
    set.mutate(
      { kapsule, locks: all },
      {
        onSuccess: () => {
          dialog.close();
          void message.success(`The lock ${lock.name} is saved.`);
        },
      },
    );
  };

  return (
    <FormDialog<LockDraft>
      title={before ? `Edit the lock ${before.name}` : `Add a lock to ${kapsule.name}`}
      okText="Save"
      form={form}
      dialog={dialog}
      width={720}
      initialValues={before ? draftOf(before, fields) : newLock}
      isSaving={set.isPending}
      failure={problem ?? failureOf(set.error)}
      onSave={save}
    >
      <LockFields kapsuleId={kapsule._id} fields={fields} groups={groups} mayOpenForOwner={mayOpenForOwner} />
    </FormDialog>
  );
}
