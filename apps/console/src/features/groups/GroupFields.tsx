import { limits } from '@kaptain/contract/limits';
import { messages } from '@kaptain/contract/messages';
import type { Authority } from '@kaptain/contract/vocabulary';
import { Form, Input } from 'antd';
import { NamesSelect } from '../../shared/NamesSelect.tsx';
import { useWords } from '../../variants/use-variant.ts';
import type { GroupValues } from './group-form.ts';
import { PermissionBoxes } from './PermissionBoxes.tsx';

interface Props {
  isNameTaken: (name: string) => boolean;
  /** Those that the service gives. */
  authorities: readonly Authority[];
  /** Names by id. */
  kapsules: ReadonlyMap<string, string>;
  users: ReadonlyMap<string, string>;
  areKapsulesLoading: boolean;
  areUsersLoading: boolean;
}

const Field = Form.Item<GroupValues>;

export function GroupFields(props: Props) {
  const { isNameTaken, authorities, kapsules, users, areKapsulesLoading, areUsersLoading } = props;
  const { kapsule, granule } = useWords();
  const checkName = async (_: unknown, name = '') => {
    if (isNameTaken(name)) throw new Error('A group with this name exists already.');
  };
  return (
    <>
      <Field
        name="groupname"
        label="Group name"
        rules={[
          { required: true, whitespace: true, message: messages.groupNameRequired },
          { validator: checkName },
        ]}
      >
        <Input autoComplete="off" maxLength={limits.nameCharacters} />
      </Field>
      <Field
        name="authority"
        label="Permission"
        rules={[{ required: true, message: messages.groupPermissionRequired }]}
        extra={
          authorities.includes('WRITE')
            ? `READ shows ${granule.many}, WRITE also saves and imports them, DELETE also deletes them and changes the ${kapsule.one}.`
            : 'DELETE includes READ.'
        }
      >
        <PermissionBoxes offered={authorities} />
      </Field>
      <Field name="kapsules" label={kapsule.Many}>
        <NamesSelect names={kapsules} isLoading={areKapsulesLoading} noun={kapsule} />
      </Field>
      <Field name="users" label="Users" extra="Only users with the role USER: an ADMIN needs no group.">
        <NamesSelect names={users} isLoading={areUsersLoading} noun={{ one: 'user', many: 'users' }} />
      </Field>
    </>
  );
}
