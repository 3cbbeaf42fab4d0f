import { DesktopOutlined, MoonOutlined, SunOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { chooseScheme, type SchemeChoice, useScheme, useSchemeChoice } from '../shared/scheme.ts';
import { insideHeader } from './inside-header.ts';

const choices: { key: SchemeChoice; label: string; icon: React.ReactNode }[] = [
  { key: 'system', label: 'System', icon: <DesktopOutlined /> },
  { key: 'light', label: 'Light', icon: <SunOutlined /> },
  { key: 'dark', label: 'Dark', icon: <MoonOutlined /> },
];

export function SchemeMenu() {
  const choice = useSchemeChoice();
  const scheme = useScheme();
  return (
    <Dropdown
      trigger={['click']}
      // The arrow keys walk through the entries.
      autoFocus
      getPopupContainer={insideHeader}
      menu={{
        items: choices,
        selectable: true,
        selectedKeys: [choice],
        onClick: ({ key }) => chooseScheme(key as SchemeChoice),
      }}
    >
      <Button
        type="text"
        aria-label={`Colour scheme: ${choice}`}
        icon={scheme === 'dark' ? <MoonOutlined /> : <SunOutlined />}
      />
    </Dropdown>
  );
}
