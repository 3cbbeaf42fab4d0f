import type { SessionUser } from '@kaptain/contract/session';
import type { User } from '@kaptain/contract/users';
import { App, Form } from 'antd';
import { useGroups } from '../../api/groups.ts';
import { useSaveUser } from '../../api/users.ts';
import { FormDialog } from '../../shared/FormDialog.tsx';
import { failureOf } from '../../shared/message-of.ts';
import type { Dialog } from '../../shared/use-dialog.ts';
import { UserFields } from './UserFields.tsx';
import { bodyOf, initialValues, type UserValues } from './user-form.ts';
import { passwordFixedBy, roleFixedBy } from './user-rules.ts';

interface Props {
  dialog: Dialog<User | 'new'>;
  about: User | 'new';
  all: readonly User[];
  me: SessionUser;
}

export function UserDialog({ dialog, about, all, me }: Props) {
  const user = about === 'new' ? undefined : about;
  const [form] = Form.useForm<UserValues>();
  const { message } = App.useApp();
  const save = useSaveUser();
  const isOfUserRole = Form.useWatch('role', form) === 'USER';
  // Spec 4: choosing USER reloads the group list: it is fetched anew each time the field appears.
  const groups = useGroups({ enabled: isOfUserRole });
  // The options include the user's own groups, in case the list could not be loaded.
  const groupNames = new Map(
    [...(user?.groups ?? []), ...(groups.data ?? [])].map(({ _id, groupname }) => [_id, groupname]),
  );

  return (
    <FormDialog<UserValues>
      title={user ? 'Update User' : 'Add User'}
      okText="Save"
      form={form}
      dialog={dialog}
      initialValues={initialValues(user)}
      isSaving={save.isPending}
      failure={failureOf(save.error)}
      onSave={(values) =>
        save.mutate(bodyOf(values, user, groupNames), {
          onSuccess: () => {
            dialog.close();
            void message.success(
              user ? `${user.username} is saved.` : `${values.username.trim()} is created.`,
            );
          },
        })
      }
    >
      <UserFields
        isNew={user === undefined}
        groups={groupNames}
        areGroupsLoading={groups.isFetching}
        onUserChosen={() => void groups.refetch()}
        roleFixedBy={user && roleFixedBy(user, all)}
        passwordFixedBy={user && passwordFixedBy(user, me)}
        isOwn={user?.userId === me.userId}
      />
    </FormDialog>
  );
}
