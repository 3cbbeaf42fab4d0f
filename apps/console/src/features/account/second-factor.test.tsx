import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { unsavedQuestion } from '../../shared/unsaved-forms.ts';
import { enter } from '../../testing/enter.ts';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';
import { totpAddress } from './totp-address.ts';

const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const recoveryCodes = Array.from({ length: 10 }, (_, count) => `AAAAA-BBBB${count + 2}`);
const off = { totpSince: null, passkeys: [], recoveryCodes: 0, isRequired: false };
const on = { totpSince: '2026-03-04T05:06:07Z', passkeys: [], recoveryCodes: 9, isRequired: false };
const needsProof = () => refuse('PROOF_NEEDED', 'Please confirm that it is you.', { methods: ['password'] });

const button = (name: string) => screen.getByText(name, { selector: 'button span' });
const serviceWith = (secondFactor: Answers['secondFactor']): Answers => ({
  kapsules: { list: () => [] },
  account: { sessions: () => [] },
  secondFactor: { get: () => off, ...secondFactor },
});

test('the address of the QR code names service and user without a blank that some apps show as a plus', () => {
  expect(totpAddress('Data notes', 'vera & co', secret)).toBe(
    `otpauth://totp/Data%20notes:vera%20%26%20co?secret=${secret}&issuer=Data%20notes`,
  );
});

describe('the second factor of one’s own account', () => {
  test('is set up after a proof of identity, with a code, and shows its recovery codes once; Escape does not lose them while it waits for them', async () => {
    let [isProven, isOn, wrongs] = [false, false, 0];
    let answer: (() => void) | undefined;
    const { user, service } = renderScreen('/account', {
      as: adminUser,
      answers: serviceWith({
        get: () => (isOn ? on : off),
        startTotp: () => (isProven ? { setup: 'setup-1', secret } : needsProof()),
        prove: ({ body }) => {
          if (body.password !== 'right') return refuse('PROOF_REFUSED', 'Not right.');
          isProven = true;
          return { status: 'success' };
        },
        confirmTotp: async ({ body }) => {
          if (body.code !== '123456') return refuse('PROOF_REFUSED', `Wrong ${++wrongs}.`);
          await new Promise<void>((resolve) => {
            answer = resolve;
          });
          isOn = true;
          return { recoveryCodes };
        },
      }),
    });
    await user.click(await screen.findByText('Set up authenticator app', { selector: 'button span' }));
    const password = await screen.findByLabelText('Password');
    await user.type(password, 'wrong{Enter}');
    expect(await screen.findByText('Not right.')).toBeTruthy();
    enter(password, 'right');
    await user.click(button('Confirm'));
    expect(await screen.findByText(secret)).toBeTruthy();
    expect(screen.getByLabelText('QR code with the key below').tagName).toBe('svg');
    await waitFor(() => expect(screen.queryByText('Confirm that it is you')).toBeNull());
    const code = screen.getByLabelText('Code of the app');
    await user.type(code, '000000{Enter}');
    expect(await screen.findByText('Wrong 1.')).toBeTruthy();
    enter(code, '123456');
    await user.type(code, '{Enter}');
    await waitFor(() => expect(answer).toBeDefined());
    await waitFor(() => expect(screen.queryByLabelText('Close')).toBeNull());
    await user.keyboard('{Escape}');
    // Back and a reload, the ways out should the answer never come, ask first.
    expect(unsavedQuestion()?.content).toBe('They are shown only now.');
    answer?.();
    expect(await screen.findByText('AAAAA-BBBB2')).toBeTruthy();
    expect(screen.getByLabelText('Recovery codes').childElementCount).toBe(10);
    expect(button('Done').closest('button')?.disabled).toBe(true);
    await user.click(screen.getByLabelText('I have stored the codes'));
    await user.click(button('Done'));
    expect(await screen.findByText('9 of 10 left')).toBeTruthy();
    expect(await screen.findByText('The authenticator app is set up.')).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('AAAAA-BBBB2')).toBeNull());
    expect(service.callsOf('secondFactor.startTotp')).toHaveLength(2);
  });

  test('is loaded again after a failure; why its required app can’t be removed is said in a text', async () => {
    let isDown = true;
    const { user } = renderScreen('/account', {
      as: adminUser,
      answers: serviceWith({
        get: () => (isDown ? refuse('INTERNAL', 'The database sleeps.') : { ...on, isRequired: true }),
      }),
    });
    await screen.findByText('The database sleeps.');
    isDown = false;
    await user.click(button('Retry'));
    expect(await screen.findByText('The settings require a second factor of every ADMIN.')).toBeTruthy();
    expect(button('Remove app').closest('button')?.disabled).toBe(true);
  });
});

describe('passkeys', () => {
  const passkey = {
    _id: 'p1',
    name: 'Phone',
    host: 'kaptain.example',
    createdAt: '2026-03-04T05:06:07Z',
    lastUsedAt: null,
  };

  test('are renamed, and the last required factor stays; a page without them says what they need', async () => {
    let name = 'Phone';
    const { user, service } = renderScreen('/account', {
      as: adminUser,
      answers: serviceWith({
        get: () => ({ ...off, passkeys: [{ ...passkey, name }], recoveryCodes: 10, isRequired: true }),
        renamePasskey: ({ params, body }) => {
          name = `${body.name} ${params.id}`;
          return { status: 'success' };
        },
      }),
    });
    await user.click(await screen.findByLabelText('Rename Phone'));
    const field = await screen.findByLabelText('Name of the passkey');
    enter(field, 'Tablet');
    await user.type(field, '{Enter}');
    expect(await screen.findByText('Tablet p1')).toBeTruthy();
    expect(await screen.findByText('The passkey is renamed.')).toBeTruthy();
    expect(screen.getByText(/never used, works at kaptain.example only/)).toBeTruthy();
    expect(screen.getByLabelText('Remove Tablet p1').getAttribute('aria-disabled')).toBe('true');
    // This page has no WebAuthn.
    await user.click(button('Add passkey'));
    expect(await screen.findByText(/Passkeys need a browser that knows them, HTTPS/)).toBeTruthy();
    expect(service.callsOf('secondFactor.startPasskey')).toEqual([]);
  });
});

test('an ADMIN who needs a second factor sees its set-up instead of any screen, until it is done', async () => {
  let isOn = false;
  let answer: (() => void) | undefined;
  const held = <T,>(answer: T) => (isOn ? answer : refuse('SECOND_FACTOR_NEEDED', 'Set one up first.'));
  const { user } = renderScreen('/data/kapsules', {
    as: adminUser,
    answers: {
      kapsules: { list: () => held([]) },
      secondFactor: {
        startTotp: () => ({ setup: 'setup-1', secret }),
        confirmTotp: async () => {
          await new Promise<void>((resolve) => {
            answer = resolve;
          });
          isOn = true;
          return { recoveryCodes };
        },
      },
    },
  });
  await screen.findByRole('heading', { name: 'Set up your second factor' });
  await user.type(await screen.findByLabelText('Code of the app'), '123456{Enter}');
  const other = button('Use a passkey instead').closest('button');
  await waitFor(() => expect(other?.disabled).toBe(true));
  answer?.();
  await user.click(await screen.findByLabelText('I have stored the codes'));
  await user.click(button('Done'));
  await screen.findByRole('heading', { name: 'Kapsules' });
  expect(location.pathname).toBe('/data/kapsules');
});
