import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Modal } from 'antd';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { reactIsIdle } from '../testing/production-act.ts';
import { MultipleSelect } from './MultipleSelect.tsx';

const options = ['Ann', 'Ben'].map((name) => ({ value: name, label: name }));

function Form() {
  const [chosen, setChosen] = useState<string[]>([]);
  return (
    <Modal open title="Group" footer={null}>
      <input aria-label="Before" />
      <MultipleSelect aria-label="Users" options={options} value={chosen} onChange={setChosen} />
      <input aria-label="After" />
      <output>{chosen.join()}</output>
    </Modal>
  );
}

test('Tab leaves an open list of a multiple select in both directions and chooses nothing', async () => {
  render(<Form />);
  const user = userEvent.setup({ delay: 0, advanceTimers: reactIsIdle, pointerEventsCheck: 0 });
  const field = screen.getByLabelText('Users', { selector: 'input' });
  const focused = () => document.activeElement?.getAttribute('aria-label');
  const isOpen = () => field.getAttribute('aria-expanded');
  for (const [keys, next] of [
    ['{Tab}', 'After'],
    ['{Shift>}{Tab}{/Shift}', 'Before'],
  ] as const) {
    field.focus();
    await user.keyboard('{Enter}{ArrowDown}');
    expect(isOpen()).toBe('true');
    await user.keyboard(keys);
    await waitFor(() => expect([focused(), isOpen()]).toEqual([next, 'false']));
  }
  expect(screen.getByRole('status').textContent).toBe('');
});
