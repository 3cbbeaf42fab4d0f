import { Drawer } from 'antd';
import { Suspense, useState } from 'react';
import { lazyPart } from '../api/load-code.ts';
import { KnownPathsContext } from '../shared/PageLink.tsx';
import { UnsavedGuard } from '../shared/unsaved-changes.tsx';
import { useMediaQuery } from '../shared/use-media-query.ts';
import { useRemembered } from '../shared/use-remembered.ts';
import { Brand } from './Brand.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import styles from './Frame.module.css';
import { HeaderBar } from './HeaderBar.tsx';
import { ProofDialog } from './ProofDialog.tsx';
import { ReloadNotices } from './ReloadNotices.tsx';
import { ScreenRoutes } from './ScreenRoutes.tsx';
import { ServiceNotice } from './ServiceNotice.tsx';
import { SideMenu } from './SideMenu.tsx';
import { useDialogTab } from './use-dialog-tab.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { usePrefetch } from './use-prefetch.ts';
import { useRegistered } from './use-registered.ts';
import { useShortcuts } from './use-shortcuts.ts';

const CommandPalette = lazyPart('CommandPalette', () => import('./CommandPalette.tsx'));
const ShortcutsHelp = lazyPart('ShortcutsHelp', () => import('./ShortcutsHelp.tsx'));

/** Side menu, header and content around every screen. */
export function Frame() {
  const { open: registered } = useRegistered();
  const isSmall = useMediaQuery('(max-width: 767.98px)');
  const [isCollapsed, setCollapsed] = useRemembered('kaptain.menu-collapsed', false);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [opened, setOpened] = useState<'palette' | 'help'>();
  usePrefetch(registered);
  useKeptFocus();
  useDialogTab();
  useShortcuts({ palette: () => setOpened('palette'), help: () => setOpened('help') });

  return (
    <KnownPathsContext value={registered.map(({ path }) => path)}>
      <a className={styles['skip']} href="#content">
        Skip to the content
      </a>
      <div className={styles['frame']} data-collapsed={isCollapsed}>
        {isSmall ? (
          <Drawer
            open={isDrawerOpen}
            onClose={() => setDrawerOpen(false)}
            placement="left"
            size={264}
            title={<Brand />}
            styles={{ body: { padding: '8px 0' } }}
          >
            <SideMenu isCollapsed={false} onChosen={() => setDrawerOpen(false)} />
          </Drawer>
        ) : (
          <aside className={styles['side']}>
            <Brand isCollapsed={isCollapsed} />
            <SideMenu isCollapsed={isCollapsed} />
          </aside>
        )}
        <div className={styles['main']}>
          <HeaderBar
            isMenuOpen={isSmall ? isDrawerOpen : !isCollapsed}
            onToggleMenu={() => (isSmall ? setDrawerOpen(true) : setCollapsed(!isCollapsed))}
            onOpenPalette={() => setOpened('palette')}
            onOpenHelp={() => setOpened('help')}
          />
          <ServiceNotice />
          <main id="content" className={styles['content']} tabIndex={-1}>
            <ScreenRoutes />
          </main>
        </div>
      </div>
      <UnsavedGuard />
      <ReloadNotices />
      <ProofDialog />
      <ErrorBoundary key={opened}>
        <Suspense fallback={null}>
          {opened === 'palette' && <CommandPalette onClose={() => setOpened(undefined)} />}
          {opened === 'help' && <ShortcutsHelp onClose={() => setOpened(undefined)} />}
        </Suspense>
      </ErrorBoundary>
    </KnownPathsContext>
  );
}
