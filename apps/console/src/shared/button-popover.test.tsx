import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { reactIsIdle } from '../testing/production-act.ts';
import { ButtonPopover } from './ButtonPopover.tsx';

test('the focus goes into a popover, leaves it in both directions, and returns to its button', async () => {
  const boxes = ['One', 'Two'].map((name) => <input key={name} type="checkbox" aria-label={name} />);
  render(
    <>
      <ButtonPopover title="Columns" content={boxes} placement="bottomRight" aria-label="Opener" />
      <button type="button" aria-label="Next" />
    </>,
  );
  const user = userEvent.setup({ delay: 0, advanceTimers: reactIsIdle, pointerEventsCheck: 0 });
  const opener = screen.getByLabelText('Opener');
  const state = () => [
    document.activeElement?.getAttribute('aria-label'),
    opener.getAttribute('aria-expanded'),
  ];
  await user.tab();
  expect(state()).toEqual(['Opener', 'false']);
  await user.keyboard('{Enter}');
  expect(state()).toEqual(['One', 'true']);
  expect(screen.getByRole('dialog', { name: 'Columns' })).toBeTruthy();
  // A tooltip would describe its button and contain nothing that takes the focus.
  expect(screen.queryByRole('tooltip')).toBeNull();
  expect(opener.hasAttribute('aria-describedby')).toBe(false);
  await user.tab();
  expect(state()).toEqual(['Two', 'true']);
  await user.tab();
  expect(state()).toEqual(['Next', 'false']);

  await user.click(opener);
  expect(state()).toEqual(['One', 'true']);
  await user.tab({ shift: true });
  expect(state()).toEqual(['Opener', 'false']);
  await user.keyboard('{Enter}');
  await user.keyboard('{Escape}');
  expect(state()).toEqual(['Opener', 'false']);
});
