import { AutoComplete, Input } from 'antd';
import { useApps } from '../../api/logs.ts';

interface Props {
  id?: string;
  value?: string;
  disabled?: boolean;
  onChange?: (value: string) => void;
}

/** The id of an app: typed, or chosen from the apps of the platform while it answers. */
export function AppIdInput({ id, value = '', disabled = false, onChange }: Props) {
  const { data: apps = [] } = useApps();
  const wanted = value.trim().toLowerCase();
  const matching = apps.filter((app) => `${app.name} ${app.id}`.toLowerCase().includes(wanted));
  return (
    <AutoComplete
      {...(id !== undefined && { id })}
      value={value}
      disabled={disabled}
      options={matching.map((app) => ({ value: app.id, label: `${app.name} (${app.id})` }))}
      {...(onChange && { onChange })}
    >
      <Input autoComplete="off" spellCheck={false} />
    </AutoComplete>
  );
}
