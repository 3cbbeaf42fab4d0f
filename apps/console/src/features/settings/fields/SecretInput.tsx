import { SECRET_MASK } from '@kaptain/contract/settings/field-schema';
import { Button, Input, Space } from 'antd';
import { valueAt } from '../paths.ts';
import { useSettingsContext } from '../use-settings-form.ts';

interface Props {
  path: readonly string[];
  id?: string;
  value?: string;
  onChange?: (value: string) => void;
}

/** A secret, which the service never sends back: the field tells whether it is set, and replaces or clears it. */
export function SecretInput({ path, value = '', onChange, ...rest }: Props) {
  const { initial } = useSettingsContext();
  const isStored = valueAt(initial, path) === SECRET_MASK;
  const isKept = value === SECRET_MASK;
  const isCleared = isStored && value === '';
  const field = (
    <Input.Password
      {...rest}
      autoComplete="new-password"
      value={isKept ? '' : value}
      placeholder={isKept ? '•••••••• (set)' : isCleared ? 'Will be cleared' : 'Not set'}
      // An emptied field keeps the saved secret.
      onChange={({ target }) => onChange?.(target.value === '' && isStored ? SECRET_MASK : target.value)}
    />
  );
  if (!isStored) return field;
  return (
    <Space.Compact block>
      {field}
      {isKept ? (
        <Button onClick={() => onChange?.('')}>Clear</Button>
      ) : (
        <Button onClick={() => onChange?.(SECRET_MASK)}>Keep</Button>
      )}
    </Space.Compact>
  );
}
