import { AutoComplete, Input } from 'antd';

interface Props {
  /** The apps of the platform, while it answers. */
  apps: readonly { id: string; name: string }[];
  id?: string;
  value?: string;
  disabled?: boolean;
  onChange?: (value: string) => void;
}

/** The id of an app: typed, or chosen from the apps of the platform. */
export function AppIdInput({ apps, id, value = '', disabled = false, onChange }: Props) {
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
