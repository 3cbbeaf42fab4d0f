import { limits } from '@kaptain/contract/limits';
import { generic, messages } from '@kaptain/contract/messages';
import { Checkbox, Form, Input, Radio } from 'antd';
import { MultipleSelect } from '../../shared/MultipleSelect.tsx';
import { useWords } from '../../variants/use-variant.ts';
import type { UserValues } from './user-form.ts';
import { passwordRefusedFor } from './user-rules.ts';

interface Props {
  isNew: boolean;
  /** Names by id. */
  groups: ReadonlyMap<string, string>;
  areGroupsLoading: boolean;
  onUserChosen: () => void;
  roleFixedBy: string | undefined;
  passwordFixedBy: string | undefined;
  isOwn: boolean;
}

const Field = Form.Item<UserValues>;

const checkPassword = async (_: unknown, password?: string) => {
  const problem = passwordRefusedFor(password);
  if (problem !== undefined) throw new Error(problem);
};

export function UserFields(props: Props) {
  const { isNew, groups, areGroupsLoading, onUserChosen, roleFixedBy, passwordFixedBy, isOwn } = props;
  const { kapsule, platform } = useWords();
  const role = Form.useWatch<UserValues['role'] | undefined>('role');
  const platformId = `${platform} User ID`;
  const canCreate = `Can Create ${kapsule.One}`;
  const onlyHelp = (text: string | undefined) => text !== undefined && { extra: text };

  return (
    <>
      <Field
        name="username"
        label="User Name"
        rules={[{ required: true, whitespace: true, message: messages.userNameRequired }]}
        {...onlyHelp(isNew ? undefined : 'The name can’t be changed.')}
      >
        <Input autoComplete="off" disabled={!isNew} maxLength={limits.nameCharacters} />
      </Field>
      <Field
        name="password"
        label="Password"
        // Spec 5: required only when adding.
        rules={[{ required: isNew }, { validator: checkPassword }]}
        extra={
          passwordFixedBy ?? (isNew ? 'At least 8 characters.' : 'Leave it empty to keep the present one.')
        }
      >
        <Input.Password autoComplete="new-password" disabled={passwordFixedBy !== undefined} />
      </Field>
      <Field
        name="role"
        label="Role"
        rules={[{ required: true }]}
        {...onlyHelp(roleFixedBy ?? (isOwn ? 'Another role ends all your sessions at once.' : undefined))}
      >
        <Radio.Group
          options={['USER', 'ADMIN']}
          disabled={roleFixedBy !== undefined}
          onChange={({ target }) => {
            if (target.value === 'USER') onUserChosen();
          }}
        />
      </Field>
      {role === 'USER' && (
        <Field name="groups" label="Group" extra={`Groups decide which ${kapsule.many} the user sees.`}>
          <MultipleSelect
            allowClear
            showSearch={{ optionFilterProp: 'label' }}
            placeholder="No group"
            loading={areGroupsLoading}
            options={Array.from(groups, ([value, label]) => ({ value, label }))}
            notFoundContent={areGroupsLoading ? 'Loading…' : 'No groups'}
          />
        </Field>
      )}
      <Field
        name="qlikId"
        label={platformId}
        rules={[{ required: true, whitespace: true, message: generic('required', { label: platformId }) }]}
        extra={
          <>
            As <code>DIRECTORY\user</code>, case-sensitive; on the SaaS platform <code>\subject</code>.
          </>
        }
      >
        <Input autoComplete="off" spellCheck={false} maxLength={limits.nameCharacters} />
      </Field>
      {role === 'ADMIN' ? (
        // Spec 3: forced on and disabled for ADMIN; the choice made for USER is kept in the form.
        <Form.Item extra="An ADMIN always can.">
          <Checkbox checked disabled>
            {canCreate}
          </Checkbox>
        </Form.Item>
      ) : (
        <Field name="isCreate" valuePropName="checked">
          <Checkbox>{canCreate}</Checkbox>
        </Field>
      )}
    </>
  );
}
