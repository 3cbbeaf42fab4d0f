import { ApiError } from '@kaptain/contract/client';
import type { Group } from '@kaptain/contract/groups';
import { Alert, App, Form } from 'antd';
import { useEffect } from 'react';
import { useAuthorities } from '../../api/authorities.ts';
import { useSaveGroup } from '../../api/groups.ts';
import { useKapsules } from '../../api/kapsules.ts';
import { useUsers } from '../../api/users.ts';
import { FormDialog } from '../../shared/FormDialog.tsx';
import type { Dialog } from '../../shared/use-dialog.ts';
import { GroupFields } from './GroupFields.tsx';
import {
  bodyOf,
  type GroupValues,
  initialValues,
  isNameTaken,
  kapsuleChoices,
  userChoices,
} from './group-form.ts';

interface Props {
  dialog: Dialog<Group | 'new'>;
  about: Group | 'new';
  /** The list as last loaded, which may be newer than `about`. */
  groups: readonly Group[];
}

export function GroupDialog({ dialog, about, groups }: Props) {
  const group = about === 'new' ? undefined : about;
  const [form] = Form.useForm<GroupValues>();
  const { message } = App.useApp();
  const save = useSaveGroup();
  const kapsules = useKapsules();
  const users = useUsers();
  const authorities = useAuthorities();

  const names = { kapsules: kapsuleChoices(group, kapsules.data), users: userChoices(group, users.data) };
  const current = groups.find(({ _id }) => _id === group?._id);
  // A failed save loads the list again: another user may have taken the name meanwhile.
  const isRefusedName = save.isError && isNameTaken(save.variables.groupname, group, groups);
  useEffect(() => {
    if (isRefusedName) form.validateFields(['groupname']).catch(() => undefined);
  }, [form, isRefusedName]);
  const isOutdated = !save.isPending && current !== undefined && current.version !== group?.version;

  // The list alone does not tell it: after a failed load it is empty.
  const isMissing = group !== undefined && current === undefined;
  const isGone = isMissing && save.error instanceof ApiError && save.error.status === 404;

  return (
    <FormDialog<GroupValues>
      title={group ? 'Update Group' : 'Create Group'}
      okText="Save"
      form={form}
      dialog={dialog}
      initialValues={initialValues(group)}
      isSaving={save.isPending}
      onSave={(values) =>
        save.mutate(bodyOf(values, group, names), {
          onSuccess: () => {
            dialog.close();
            void message.success(`${values.groupname.trim()} is saved.`);
          },
          // Spec 8: save errors are only logged.
          // oxlint-disable-next-line no-console -- It is the log Spec 8 means.
          onError: (error) => console.error(error),
        })
      }
    >
      {dialog.isOpen && (isOutdated || isGone) && (
        <Alert
          type="info"
          showIcon
          style={{ marginBlockEnd: 16 }}
          title={
            isGone
              ? 'Another user has deleted this group meanwhile. It can’t be saved any more.'
              : 'Another user has changed this group meanwhile. Open it again to see its present state.'
          }
        />
      )}
      <GroupFields
        isNameTaken={(name) => isNameTaken(name, group, groups)}
        authorities={authorities}
        kapsules={names.kapsules}
        users={names.users}
        areKapsulesLoading={kapsules.isPending}
        areUsersLoading={users.isPending}
      />
    </FormDialog>
  );
}
