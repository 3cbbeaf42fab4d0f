import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { App, ConfigProvider } from 'antd';
import type { ReactNode } from 'react';
import { vi } from 'vitest';
import { createQueryClient } from '../api/query-client.ts';
import { Theme } from '../app/Theme.tsx';
import { VariantContext } from '../variants/use-variant.ts';
import { variants } from '../variants/variants.ts';
import { type Answers, fakeService } from './fake-service.ts';
import { reactIsIdle } from './production-act.ts';

/** Leaves out antd's style sheets: jsdom has no layout, and parsing them takes time. */
export const unstyled = { zeroRuntime: true };

/** The keyboard and pointer of a person. */
export const newUser = () => userEvent.setup({ delay: 0, advanceTimers: reactIsIdle, pointerEventsCheck: 0 });

interface Options {
  answers?: Answers;
  variant?: keyof typeof variants;
}

/** Mounts a part of a screen on a fake service, without the rest of the screen and without the shell. */
export function renderPart(part: ReactNode, { answers = {}, variant = 'default' }: Options = {}) {
  const service = fakeService(answers);
  vi.stubGlobal('fetch', service.fetch);
  const view = render(
    <ConfigProvider theme={unstyled}>
      <VariantContext value={variants[variant]}>
        <Theme>
          <App>
            <QueryClientProvider client={createQueryClient()}>{part}</QueryClientProvider>
          </App>
        </Theme>
      </VariantContext>
    </ConfigProvider>,
  );
  return { ...view, user: newUser(), service };
}
