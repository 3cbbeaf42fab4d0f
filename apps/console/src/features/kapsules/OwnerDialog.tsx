import type { Kapsule } from '@kaptain/contract/kapsules';
import { App, Form } from 'antd';
import { useChangeOwner } from '../../api/kapsules.ts';
import { useUsers } from '../../api/users.ts';
import { FormDialog } from '../../shared/FormDialog.tsx';
import { UserSelect } from '../../shared/UserSelect.tsx';
import type { Dialog } from '../../shared/use-dialog.ts';

interface Values {
  userId: string;
}

/** Gives a kapsule another owner. */
export function OwnerDialog({ dialog, kapsule }: { dialog: Dialog<Kapsule>; kapsule: Kapsule }) {
  const { _id, name, owner, ownerId } = kapsule;
  const [form] = Form.useForm<Values>();
  const { message } = App.useApp();
  const { data: users = [], isPending } = useUsers();
  const change = useChangeOwner();
  const nameOf = (id: string) => users.find(({ userId }) => userId === id)?.username ?? id;
  const isOrphan = !isPending && !users.some(({ userId }) => userId === ownerId);

  return (
    <FormDialog<Values>
      title={`Change the owner of ${name}`}
      okText="Save"
      form={form}
      dialog={dialog}
      initialValues={{}}
      isSaving={change.isPending}
      failure={change.error?.message}
      onSave={({ userId }) =>
        change.mutate(
          { kapsuleIds: [_id], userId },
          {
            onSuccess: () => {
              dialog.close();
              void message.success(`${name} belongs to ${nameOf(userId)} now.`);
            },
          },
        )
      }
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
          loading={isPending}
          users={users.filter(({ userId }) => userId !== ownerId)}
        />
      </Form.Item>
    </FormDialog>
  );
}
