import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { reactIsIdle } from '../testing/production-act.ts';
import { sampleLog } from '../testing/sample-log.ts';
import { Hint } from './Hint.tsx';
import { RunStatus } from './RunStatus.tsx';

const setup = () => userEvent.setup({ delay: 0, advanceTimers: reactIsIdle, pointerEventsCheck: 0 });
const isShown = () => screen.getByRole('button').matches('.ant-tooltip-open');

test('a tooltip closes when its text goes, and stays closed when there is one again', async () => {
  const hint = (title: string) => (
    <Hint title={title}>
      <button type="button">Delete</button>
    </Hint>
  );
  const { rerender } = render(hint('Not now'));
  await setup().hover(screen.getByRole('button'));
  await waitFor(() => expect(isShown()).toBe(true));
  rerender(hint(''));
  await reactIsIdle();
  expect(isShown()).toBe(false);
  rerender(hint('Not now'));
  await reactIsIdle();
  expect(isShown()).toBe(false);
});

test('the keyboard reaches what a running reload is doing', async () => {
  const running = { status: 'running', progress: 0.4, progressText: 'Lines fetched' } as const;
  render(<RunStatus entry={sampleLog('Reload', running)} />);
  await setup().tab();
  expect([document.activeElement?.tagName, document.activeElement?.textContent]).toEqual(['SPAN', '40%']);
});
