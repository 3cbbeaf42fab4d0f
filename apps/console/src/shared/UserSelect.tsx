import type { User } from '@kaptain/contract/users';
import { Select, type SelectProps } from 'antd';

interface Props extends Pick<SelectProps<string>, 'id' | 'value' | 'onChange' | 'loading' | 'allowClear'> {
  users: readonly User[];
  placeholder: string;
  'aria-label'?: string;
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Chooses one user by name. */
export function UserSelect({ users, ...field }: Props) {
  return (
    <Select
      {...field}
      showSearch={{ optionFilterProp: 'label' }}
      style={{ width: '100%' }}
      options={users
        .map(({ userId, username }) => ({ value: userId, label: username }))
        .sort((a, b) => collator.compare(a.label, b.label))}
    />
  );
}
