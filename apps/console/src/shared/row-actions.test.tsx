import { RedoOutlined } from '@ant-design/icons';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { reactIsIdle } from '../testing/production-act.ts';
import { IconAction } from './IconAction.tsx';
import { KnownPathsContext } from './PageLink.tsx';
import { PhoneTable, RowActions } from './RowActions.tsx';
import { useAuditLink } from './use-audit-link.tsx';

function Actions() {
  const auditLink = useAuditLink('apiKey:1', 'nightly');
  return (
    <RowActions of="nightly">
      {auditLink}
      <IconAction
        title="Run again"
        label="Run nightly again"
        icon={<RedoOutlined />}
        onClick={() => undefined}
      />
    </RowActions>
  );
}
const renderActions = (...paths: string[]) =>
  render(
    <MemoryRouter>
      <KnownPathsContext value={paths}>
        <PhoneTable value>
          <Actions />
        </PhoneTable>
      </KnownPathsContext>
    </MemoryRouter>,
  );
const names = () => screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'));

test('on a phone the only action of a row needs no list', () => {
  renderActions();
  expect(names()).toEqual(['Run nightly again']);
});

test('the name of an action in the list of a phone is its text', async () => {
  renderActions('/system/audit');
  expect(names()).toEqual(['Actions of nightly']);
  const user = userEvent.setup({ delay: 0, advanceTimers: reactIsIdle, pointerEventsCheck: 0 });
  await user.click(screen.getByRole('button'));
  expect(screen.getByRole('button', { name: 'Run again' })).toBeTruthy();
});
