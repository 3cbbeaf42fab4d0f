import type { Group } from '@kaptain/contract/groups';
import { Alert, App, Form } from 'antd';
import { useSaveGroup } from '../../api/groups.ts';
import { useKapsules } from '../../api/kapsules.ts';
import { useUsers } from '../../api/users.ts';
import { FormDialog } from '../../shared/FormDialog.tsx';
import type { Dialog } from '../../shared/use-dialog.ts';
import { GroupFields } from './GroupFields.tsx';
import { bodyOf, type GroupValues, initialValues } from './group-form.ts';

interface Props {
  dialog: Dialog<Group | 'new'>;
  about: Group | 'new';
  /** The present list, which may be newer than what the dialog began with. */
  groups: readonly Group[];
}

export function GroupDialog({ dialog, about, groups }: Props) {
  const group = about === 'new' ? undefined : about;
  const [form] = Form.useForm<GroupValues>();
  const { message } = App.useApp();
  const save = useSaveGroup();
  const kapsules = useKapsules();
  const users = useUsers();

  // What the group already has stays choosable even when a list could not be loaded.
  const names = {
    kapsules: new Map([
      ...(group?.kapsules ?? []).map((one) => [one.kapsulecode, one.kapsulename ?? one.kapsulecode] as const),
      ...(kapsules.data ?? []).map(({ _id, name }) => [_id, name] as const),
    ]),
    users: new Map([
      ...(group?.users ?? []).map((one) => [one.userid, one.username ?? one.userid] as const),
      // Spec 5: only users with the role USER are offered.
      ...(users.data ?? [])
        .filter(({ role }) => role === 'USER')
        .map(({ userId, username }) => [userId, username] as const),
    ]),
  };
  const current = groups.find(({ _id }) => _id === group?._id);
  const isOutdated = !save.isPending && current !== undefined && current.version !== group?.version;

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
      {dialog.isOpen && isOutdated && (
        <Alert
          type="info"
          showIcon
          style={{ marginBlockEnd: 16 }}
          title="Somebody else has changed this group meanwhile. Open it again to see its present state."
        />
      )}
      <GroupFields
        kapsules={names.kapsules}
        users={names.users}
        areKapsulesLoading={kapsules.isPending}
        areUsersLoading={users.isPending}
      />
    </FormDialog>
  );
}
