import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';

const recoveryCodes = Array.from({ length: 10 }, (_, count) => `AAAAA-BBBB${count + 2}`);
const factor = { totpSince: '2026-03-04T05:06:07Z', passkeys: [], recoveryCodes: 9, isRequired: false };

function open({ isMenuOpen = false } = {}) {
  return renderScreen('/account', {
    as: adminUser,
    isMenuOpen,
    answers: {
      kapsules: { list: () => [] },
      account: { sessions: () => [] },
      secondFactor: { get: () => factor, createRecoveryCodes: () => ({ recoveryCodes }) },
    },
  });
}
const button = (name: string) => screen.findByText(name, { selector: 'button span' });

test('new recovery codes are made after a question, because the present ones become invalid', async () => {
  const { user, service } = open();
  await user.click(await button('New recovery codes'));
  expect(await screen.findByText('Your present recovery codes become invalid.')).toBeTruthy();
  await user.click(await button('Cancel'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(service.callsOf('secondFactor.createRecoveryCodes')).toEqual([]);
  await user.click(await button('New recovery codes'));
  await user.click(await button('Yes'));
  expect(await screen.findByText('AAAAA-BBBB2')).toBeTruthy();
});

test('every way out asks while recovery codes are shown, until they are stored', async () => {
  const { user } = open({ isMenuOpen: true });
  const isHeld = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const question = 'Leave before you have stored the recovery codes?';
  await user.click(await button('New recovery codes'));
  expect(isHeld()).toBe(false);
  await user.click(await button('Yes'));
  await screen.findByText('AAAAA-BBBB2');
  expect(isHeld()).toBe(true);
  await user.click(screen.getByText('Kapsules', { selector: 'nav *' }));
  const [title] = await screen.findAllByText(question);
  const asked = within(title?.closest('[role=dialog]') as HTMLElement);
  expect(asked.getByText('They are shown only now.')).toBeTruthy();
  await user.click(asked.getByText('Stay'));
  await waitFor(() => expect(screen.queryAllByText(question)).toEqual([]));
  expect(location.pathname).toBe('/account');
  expect(screen.getByText('AAAAA-BBBB2')).toBeTruthy();
  await user.click(screen.getByLabelText('I have stored the codes'));
  expect(isHeld()).toBe(false);
});
