import type { Kapsule } from '@kaptain/contract/kapsules';
import type { User } from '@kaptain/contract/users';
import { App, Form } from 'antd';
import { FormDialog } from './FormDialog.tsx';
import { UserSelect } from './UserSelect.tsx';
import type { Dialog } from './use-dialog.ts';

interface Values {
  userId: string;
}

interface Props {
  dialog: Dialog<Kapsule>;
  kapsule: Kapsule;
  /** Undefined while they are loading. */
  users: readonly User[] | undefined;
  isSaving: boolean;
  failure: string | undefined;
  onSave: (userId: string, onSuccess: () => void) => void;
}

/** Gives a kapsule another owner. */
export function OwnerDialog({ dialog, kapsule, users, isSaving, failure, onSave }: Props) {
  const { name, owner, ownerId } = kapsule;
  const { message } = App.useApp();
  const [form] = Form.useForm<Values>();
  const isOrphan = users !== undefined && !users.some(({ userId }) => userId === ownerId);
  return (
    <FormDialog<Values>
      title={`Change the owner of ${name}`}
      okText="Save"
      form={form}
      dialog={dialog}
      initialValues={{}}
      isSaving={isSaving}
      failure={failure}
      onSave={({ userId }) => {
        const user = users?.find((one) => one.userId === userId);
        if (!user) return;
        onSave(userId, () => {
          dialog.close();
          void message.success(`${name} belongs to ${user.username} now.`);
        });
      }}
    >
      <Form.Item<Values>
        name="userId"
        label="New owner"
        rules={[{ required: true }]}
        extra={
          isOrphan
            ? `The account of ${owner} is deleted: it has no owner now.`
            : `${owner} loses what only the owner may do, unless a group or the role ADMIN gives it.`
        }
      >
        <UserSelect
          placeholder="Search users"
          loading={users === undefined}
          users={(users ?? []).filter(({ userId }) => userId !== ownerId)}
        />
      </Form.Item>
    </FormDialog>
  );
}
