import { SessionUser, type SessionUser as User } from '@kaptain/contract/session';
import { render } from '@testing-library/react';
import { ConfigProvider } from 'antd';
import { vi } from 'vitest';
import { Root } from '../app/Root.tsx';
import type { Screen } from '../app/screens.ts';
import { variants } from '../variants/variants.ts';
import { type Answers, fakeService } from './fake-service.ts';
import { newUser, unstyled } from './render-part.tsx';

export const adminUser: User = SessionUser.parse({ userId: 'u-admin', username: 'admin', role: 'ADMIN' });
export const plainUser: User = SessionUser.parse({ userId: 'u-jane', username: 'jane', role: 'USER' });

interface Options {
  /** The logged-in user; without it the console shows the login screen. */
  as?: User | undefined;
  answers?: Answers;
  variant?: keyof typeof variants;
  screens?: readonly Screen[];
  /** For tests of the menu and of ways through it; without its entries a mount takes two thirds of the time. */
  isMenuOpen?: boolean;
}

/** Mounts the whole console at an address, on a fake service, and returns the keyboard and pointer of its user. */
export function renderScreen(
  path: string,
  { as, answers = {}, variant = 'default', screens, isMenuOpen = false }: Options = {},
) {
  const service = fakeService(answers);
  vi.stubGlobal('fetch', service.fetch);
  if (as) {
    sessionStorage.setItem('kaptain.token', 'token-1');
    sessionStorage.setItem('kaptain.user', JSON.stringify(as));
  }
  if (!isMenuOpen) localStorage.setItem('kaptain.menu-collapsed', 'true');
  history.replaceState(null, '', path);
  const view = render(
    <ConfigProvider theme={unstyled}>
      <Root variant={variants[variant]} {...(screens && { screens })} />
    </ConfigProvider>,
  );
  return { ...view, user: newUser(), service };
}
