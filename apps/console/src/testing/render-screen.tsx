import { SessionUser, type SessionUser as User } from '@kaptain/contract/session';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ConfigProvider } from 'antd';
import { vi } from 'vitest';
import { Root } from '../app/Root.tsx';
import type { Screen } from '../app/screens.ts';
import { variants } from '../variants/variants.ts';
import { type Answers, fakeService } from './fake-service.ts';
import { reactIsIdle } from './production-act.ts';

export const adminUser: User = SessionUser.parse({ userId: 'u-admin', username: 'admin', role: 'ADMIN' });
export const plainUser: User = SessionUser.parse({ userId: 'u-jane', username: 'jane', role: 'USER' });

/** jsdom has no layout: making and parsing antd's style sheets would only take time. */
const unstyled = { zeroRuntime: true };

interface Options {
  /** Who is logged in; nobody when left out. */
  as?: User | undefined;
  answers?: Answers;
  variant?: keyof typeof variants;
  screens?: readonly Screen[];
}

/** The whole console at an address, against a fake service; what comes back is what a user has in hand. */
export function renderScreen(path: string, { as, answers = {}, variant = 'default', screens }: Options = {}) {
  const service = fakeService(answers);
  vi.stubGlobal('fetch', service.fetch);
  if (as) {
    sessionStorage.setItem('kaptain.token', 'token-1');
    sessionStorage.setItem('kaptain.user', JSON.stringify(as));
  }
  history.replaceState(null, '', path);
  const view = render(
    <ConfigProvider theme={unstyled}>
      <Root variant={variants[variant]} {...(screens && { screens })} />
    </ConfigProvider>,
  );
  return { ...view, user: userEvent.setup({ delay: 0, advanceTimers: reactIsIdle }), service };
}
