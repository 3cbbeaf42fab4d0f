import { screen, waitFor, within } from '@testing-library/react';
import { expect, onTestFinished, test } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { refuse } from '../../testing/fake-service.ts';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';

const recoveryCodes = Array.from({ length: 10 }, (_, count) => `AAAAA-BBBB${count + 2}`);
const passkey = {
  _id: 'p1',
  name: 'Phone',
  host: 'kaptain.example',
  createdAt: '2026-03-04T05:06:07Z',
  lastUsedAt: null,
};
const factor = { totpSince: null, passkeys: [passkey], recoveryCodes: 9, isRequired: false };
const request = { challenge: 'AAAA', rpId: 'localhost', timeout: 1, userVerification: 'preferred' as const };
const methods = ['passkey', 'recoveryCode'];

/** A browser with WebAuthn, whose user cancels its dialog. */
function cancelPasskeys() {
  const get = async () => {
    throw new DOMException('cancelled', 'NotAllowedError');
  };
  Object.defineProperty(navigator, 'credentials', { value: { get }, configurable: true });
  Object.assign(window, { PublicKeyCredential: () => undefined });
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'credentials');
    Reflect.deleteProperty(window, 'PublicKeyCredential');
  });
}

/** The account page of a user with a passkey; new recovery codes need a proof of identity. */
function open() {
  let isProven = false;
  return renderScreen('/account', {
    as: adminUser,
    isMenuOpen: true,
    answers: {
      kapsules: { list: () => [] },
      account: { sessions: () => [] },
      secondFactor: {
        get: () => factor,
        createRecoveryCodes: () =>
          isProven
            ? { recoveryCodes }
            : refuse('PROOF_NEEDED', 'Please confirm that it is you.', { methods }),
        startPasskeyProof: () => ({ ...request, allowCredentials: [] }),
        prove: ({ body }) => {
          isProven = body.code === 'AAAAA-BBBBB';
          return { status: 'success' };
        },
      },
    },
  });
}

test('new recovery codes are made after a question and a proof of identity, by a passkey or, when the browser’s dialog is cancelled, a recovery code; a cancelled proof leaves the refusal, and every way out asks until they are stored', async () => {
  cancelPasskeys();
  const { user, service } = open();
  const press = async (name: string) =>
    user.click(await screen.findByText(name, { selector: 'button span' }));
  const isHeld = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const proof = async () => (await screen.findByLabelText('Recovery code')).closest('form') as HTMLElement;
  await press('New recovery codes');
  expect(await screen.findByText('Your present recovery codes become invalid.')).toBeTruthy();
  await press('Cancel');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(service.callsOf('secondFactor.createRecoveryCodes')).toEqual([]);

  await press('New recovery codes');
  await press('Yes');
  await user.click(within(await proof()).getByText('Cancel'));
  expect((await screen.findAllByText('Please confirm that it is you.')).length).toBeGreaterThan(0);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  await press('New recovery codes');
  expect(isHeld()).toBe(false);
  await press('Yes');
  await press('Use a passkey');
  expect(await screen.findByText(/No passkey was used/)).toBeTruthy();
  const code = within(await proof()).getByLabelText('Recovery code');
  enter(code, 'AAAAA-BBBBB');
  await user.type(code, '{Enter}');
  await screen.findByText('AAAAA-BBBB2');

  expect(isHeld()).toBe(true);
  await user.click(screen.getByText('Kapsules', { selector: 'nav *' }));
  const question = 'Leave before you have stored the recovery codes?';
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
