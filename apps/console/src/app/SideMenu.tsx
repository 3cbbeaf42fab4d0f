import { ControlOutlined, FolderOpenOutlined } from '@ant-design/icons';
import { Menu, type MenuProps } from 'antd';
import { Link, useLocation, useNavigate } from 'react-router';
import { useFailingReloads } from '../api/logs.ts';
import { useWords } from '../variants/use-variant.ts';
import styles from './SideMenu.module.css';
import type { MenuGroup, Screen } from './screens.ts';
import { screenAt, useRegistered } from './use-registered.ts';

type Items = NonNullable<MenuProps['items']>;

const groups: { key: MenuGroup; label: string; icon: React.ReactNode }[] = [
  { key: 'data', label: 'Data', icon: <FolderOpenOutlined aria-hidden /> },
  { key: 'system', label: 'System', icon: <ControlOutlined aria-hidden /> },
];

/** The wrapper takes the class that antd gives to icons. */
const MarkedIcon = ({ children, className }: { children: React.ReactNode; className?: string }) => (
  <span className={`${className ?? ''} ${styles['marked']}`} title="A reload has failed">
    {children}
  </span>
);

export function SideMenu({ isCollapsed, onChosen }: { isCollapsed: boolean; onChosen?: () => void }) {
  const { all, open, user } = useRegistered();
  const words = useWords();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const isAdmin = user.role === 'ADMIN';
  const failing = useFailingReloads().length;

  const entry = (screen: Screen): Items[number] => {
    const isOpen = open.includes(screen);
    const title = screen.title(words);
    const isMarked = failing > 0 && screen.tellsOfReloads === true && isOpen;
    const icon = screen.icon && <screen.icon aria-hidden />;
    return {
      key: screen.path,
      icon: isMarked ? <MarkedIcon>{icon}</MarkedIcon> : icon,
      disabled: !isOpen,
      title,
      // The entry itself takes the focus; the link is there for the mouse and for "open in a new tab".
      label: isOpen ? (
        <Link to={screen.path} tabIndex={-1}>
          {title}
          {isMarked && <span className="visually-hidden"> (a reload has failed)</span>}
        </Link>
      ) : (
        title
      ),
    };
  };

  const items: Items = groups.flatMap(({ key, label, icon }) => {
    const children = all.filter(({ menu }) => menu === key).map(entry);
    // Spec 2: the System group is disabled for non-admins.
    return children.length > 0
      ? [{ key, label, icon, children, disabled: key === 'system' && !isAdmin }]
      : [];
  });
  // Spec 2: About is for every user; other top entries show only to users who may open them.
  items.push(...open.filter(({ menu }) => menu === 'top').map(entry));

  const current = screenAt(open, pathname);
  const parent = open.findLast(({ menu, path }) => menu && pathname.startsWith(path));
  const selected = (current?.menu ? current : parent)?.path;
  return (
    <nav aria-label="Main" className={styles['menu']}>
      <Menu
        mode="inline"
        inlineCollapsed={isCollapsed}
        items={items}
        defaultOpenKeys={isCollapsed ? [] : isAdmin ? ['data', 'system'] : ['data']}
        selectedKeys={selected ? [selected] : []}
        inlineIndent={16}
        styles={{ root: { border: 0, background: 'transparent' } }}
        onClick={({ key, domEvent }) => {
          // The browser itself follows a focused link on Enter.
          if (domEvent.type === 'keydown' && !(domEvent.target instanceof HTMLAnchorElement))
            void navigate(key);
          onChosen?.();
        }}
      />
    </nav>
  );
}
