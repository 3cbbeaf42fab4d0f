import { MenuFoldOutlined, MenuUnfoldOutlined, SearchOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { modifierKey } from '../shared/keyboard.ts';
import { AvatarMenu } from './AvatarMenu.tsx';
import { Crumbs } from './Crumbs.tsx';
import styles from './HeaderBar.module.css';
import { SchemeMenu } from './SchemeMenu.tsx';

interface Props {
  isMenuOpen: boolean;
  onToggleMenu: () => void;
  onOpenPalette: () => void;
  onOpenHelp: () => void;
}

export function HeaderBar({ isMenuOpen, onToggleMenu, onOpenPalette, onOpenHelp }: Props) {
  return (
    <header className={styles['bar']}>
      <Button
        type="text"
        icon={isMenuOpen ? <MenuFoldOutlined /> : <MenuUnfoldOutlined />}
        onClick={onToggleMenu}
        aria-label={isMenuOpen ? 'Collapse the menu' : 'Open the menu'}
        aria-expanded={isMenuOpen}
      />
      <Crumbs />
      <div className={styles['tools']}>
        <Button
          className={styles['hint'] ?? ''}
          icon={<SearchOutlined />}
          onClick={onOpenPalette}
          aria-keyshortcuts="Control+K"
        >
          <span className={styles['hintText']}>
            Go to… <kbd>{modifierKey} K</kbd>
          </span>
        </Button>
        <SchemeMenu />
        <AvatarMenu onOpenHelp={onOpenHelp} />
      </div>
    </header>
  );
}
