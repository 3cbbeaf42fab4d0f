import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useDialogTab } from './use-dialog-tab.ts';

function Page({ hasList }: { hasList: boolean }) {
  useDialogTab();
  return (
    <div role="dialog" aria-modal="true" tabIndex={-1}>
      <button type="button" className="ant-modal-close" aria-label="Close" />
      {hasList && <button type="button" aria-label="Entry" />}
      <input aria-label="Field" />
    </div>
  );
}
const close = () => screen.getByLabelText('Close');
const focused = () => document.activeElement?.getAttribute('aria-label');

test('a dialog starts at its field when it opens, and not when the window gets the focus back', () => {
  render(<Page hasList={false} />);
  close().focus();
  expect(focused()).toBe('Field');
  close().focus();
  fireEvent.focusIn(close());
  expect(focused()).toBe('Close');
});

test('a dialog with a list before its field starts where antd does', () => {
  render(<Page hasList />);
  close().focus();
  expect(focused()).toBe('Close');
});
