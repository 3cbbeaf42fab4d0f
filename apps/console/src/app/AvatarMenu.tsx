import { LogoutOutlined, QuestionCircleOutlined, UserOutlined } from '@ant-design/icons';
import { Avatar, Button, Dropdown, type MenuProps } from 'antd';
import { useNavigate } from 'react-router';
import { logOut } from '../api/session.ts';
import { useLeave } from '../shared/unsaved-changes.tsx';
import { useWords } from '../variants/use-variant.ts';
import styles from './AvatarMenu.module.css';
import { insideHeader } from './inside-header.ts';
import { useRegistered } from './use-registered.ts';

/** Spec 2: the username and a Logout item. */
export function AvatarMenu({ onOpenHelp }: { onOpenHelp: () => void }) {
  const { open, user } = useRegistered();
  const words = useWords();
  const navigate = useNavigate();
  const leave = useLeave();
  const account = open.find(({ path }) => path === '/account');

  const items: MenuProps['items'] = [
    {
      key: 'who',
      type: 'group',
      label: (
        <span className={styles['who']}>
          <strong>{user.username}</strong>
          <span>{user.role === 'ADMIN' ? 'Administrator' : 'User'}</span>
        </span>
      ),
    },
    { type: 'divider' },
    ...(account
      ? [
          {
            key: 'account',
            icon: <UserOutlined />,
            label: account.title(words),
            onClick: () => void navigate(account.path),
          },
        ]
      : []),
    {
      key: 'help',
      icon: <QuestionCircleOutlined />,
      label: 'Keyboard shortcuts',
      onClick: onOpenHelp,
    },
    { key: 'logout', icon: <LogoutOutlined />, label: 'Logout', onClick: () => leave(logOut) },
  ];

  return (
    <Dropdown
      trigger={['click']}
      autoFocus
      getPopupContainer={insideHeader}
      placement="bottomRight"
      menu={{ items }}
    >
      <Button
        type="text"
        shape="circle"
        className={styles['button'] ?? ''}
        aria-label={`Account: ${user.username}`}
      >
        <Avatar size={32}>{user.username.slice(0, 1).toUpperCase()}</Avatar>
      </Button>
    </Dropdown>
  );
}
