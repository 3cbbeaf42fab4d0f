import { AutoComplete, Input } from 'antd';
import { useApps } from '../../api/logs.ts';

interface Props {
  id?: string;
  value?: string;
  onChange?: (value: string) => void;
}

/** The id of an app: typed, or chosen from what the platform has, when it answers. */
export function AppIdInput({ id, value = '', onChange }: Props) {
  const { data: apps = [] } = useApps();
  const wanted = value.trim().toLowerCase();
  const matching = apps.filter((app) => `${app.name} ${app.id}`.toLowerCase().includes(wanted));
  return (
    <AutoComplete
      {...(id !== undefined && { id })}
      value={value}
      options={matching.map((app) => ({ value: app.id, label: `${app.name} (${app.id})` }))}
      {...(onChange && { onChange })}
    >
      <Input autoComplete="off" spellCheck={false} />
    </AutoComplete>
  );
}
