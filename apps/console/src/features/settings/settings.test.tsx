import type { LastApply } from '@kaptain/contract/settings/generations';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { fieldOf as field } from '../../testing/labelled.ts';
import { outage } from '../../testing/outage.ts';
import { renderPart } from '../../testing/render-part.tsx';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';
import { ApplyBanner } from './ApplyBanner.tsx';
import { freshSettings, fullSettings, settingsState as state } from './settings-fixture.ts';

const open = (settings: NonNullable<Answers['settings']>) =>
  renderScreen('/data/setting', { as: adminUser, answers: { settings } });
const dialog = () => within(screen.getByRole('dialog'));
const question = () => screen.findByRole('dialog', { name: 'Are you sure to save the settings?' });
const submitButton = () => screen.getByText('Submit', { selector: 'button *' });
const banner = async (title: string) => (await screen.findByText(title)).closest('[role=alert]')?.textContent;

test('a rolled-back change of the settings is told with its reason, its version and when it was given up', async () => {
  const rolledBack = { status: 'rolledBack', generation: 8, reason: 'Port taken.' } as const;
  const apply = { phase: 'idle', run: async () => undefined } as const;
  renderPart(
    <ApplyBanner
      state={{ generation: 7, lastApply: { ...state.lastApply, ...rolledBack } }}
      info={fullSettings()}
      apply={apply}
    />,
  );
  expect(await banner('The last change of the settings was rolled back')).toContain(
    'Port taken. The service runs with the settings from before; version 8 was given up at 2026-03-04 05:06:07. To try again, correct the settings and submit them. To keep those from before, submit them without a change.',
  );
  expect(screen.queryByText('Restart now')).toBeNull();
});

test('the spinner says Something Error! when the settings cannot be loaded; after Retry the page says why a restart failed, offers another one, and Alt with a page key goes through its sections', async () => {
  let isDown = true;
  let lastApply: LastApply = { ...state.lastApply, status: 'restartFailed', reason: 'No memory.' };
  const { user, service } = open({
    get: () => (isDown ? refuse('UNAVAILABLE', 'The service is busy.') : fullSettings()),
    state: () => ({ ...state, lastApply }),
    restart: () => refuse('FORBIDDEN', 'Not now.'),
  });
  expect((await screen.findByText('Something Error!')).className).toContain('description');
  expect(screen.getByText('The service is busy.')).toBeTruthy();
  isDown = false;
  await user.click(screen.getByText('Retry'));
  expect(await banner('The last restart failed')).toContain(
    'No memory. The service goes on with the same settings. Tried at 2026-03-04 05:06:07',
  );
  lastApply = { ...lastApply, status: 'waiting' };
  await user.click(screen.getByText('Restart now'));
  expect(await banner('The saved settings wait for a restart')).toContain(
    'The last restart failed: No memory. The service still runs with the ones from before.',
  );
  expect(service.callsOf('settings.restart')).toHaveLength(1);
  expect(screen.getByText('Connection mode')).toBeTruthy();

  const reached: unknown[] = [];
  for (const key of ['PageDown', 'PageDown', 'PageDown', 'PageUp']) {
    await user.keyboard(`{Alt>}{${key}}{/Alt}`);
    reached.push(document.activeElement?.querySelector('h2')?.textContent);
  }
  expect(reached).toEqual(['System', 'Security', 'Platform Connection', 'Security']);
});

test('the settings of a service that knows only the calls of the specification offer nothing else', async () => {
  const info = fullSettings({ settings: { qlikHost: 'CARRIER PIGEON' } });
  open({ get: () => Response.json({ data: info }) });
  // An unknown connection mode is shown as an error and can be replaced.
  expect(await screen.findByText('Something Error!')).toBeTruthy();
  expect(screen.getByText(/“CARRIER PIGEON” is not known/)).toBeTruthy();
  for (const extra of ['History', 'Export', 'Import', 'Test connection', 'Built-in'])
    expect(screen.queryByText(extra)).toBeNull();
  expect(screen.getByText('No unsaved changes')).toBeTruthy();
});

test('the settings of a fresh installation are saved without a platform, which is not tried either; once its block is used, its texts are required, and a failed submit tells the first error and goes there', async () => {
  const { user, service } = open({
    get: () => freshSettings(),
    state: () => state,
    hasFile: () => ({ exists: false }),
  });
  await screen.findByText('Connection mode');
  const index = document.querySelector('[aria-label="On this page"]') as HTMLElement;
  expect(Array.from(index.querySelectorAll('a'), ({ textContent }) => textContent)).toEqual([
    'System',
    'Security',
    'Platform Connection',
    'database settings',
    'Data Source List',
    'License',
    'Logs',
    'Submit',
  ]);
  await user.click(within(index).getByText('Logs'));
  expect([location.hash, document.activeElement?.id]).toEqual(['#logs', 'logs']);

  await user.click(document.querySelector('[aria-label="Test connection: Qlik"]') as Element);
  expect(await screen.findByText('Engine Hostname is required!')).toBeTruthy();
  expect(service.callsOf('settings.testConnection')).toEqual([]);
  await user.click(field('API Key'));
  await user.click(submitButton());
  expect(await question()).toBeTruthy();
  await user.click(dialog().getByText('Cancel'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByText('Engine Hostname is required!')).toBeNull();

  enter(field('Virtual Proxy'), 'hub');
  await user.click(field('HTTPS'));
  await user.click(submitButton());
  const selector = '.ant-message *';
  expect(await screen.findByText('Server PEM is required!', { selector })).toBeTruthy();
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Upload .pem: Server PEM');
  const errors = () => Array.from(document.querySelectorAll('.ant-form-item-explain-error'));
  await waitFor(() =>
    expect(errors().map(({ textContent }) => textContent)).toEqual([
      'Server PEM is required!',
      'Server Key PEM is required!',
      'Qlik User ID is required!',
      'Qlik User Directory is required!',
      'Engine Hostname is required!',
    ]),
  );
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('entered values stay through an outage, and Reset and every way out of the page ask before they discard them', async () => {
  const shown = renderScreen('/data/setting', {
    as: adminUser,
    isMenuOpen: true,
    answers: { settings: { get: () => fullSettings(), state: () => state } },
  });
  const { user, service } = shown;
  const isHeld = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const answer = async (text: string) => {
    const [title] = await screen.findAllByText('Discard what you have entered?');
    await user.click(within(title?.closest('[role=dialog]') as HTMLElement).getByText(text));
    await waitFor(() => expect(screen.queryAllByText('Discard what you have entered?')).toEqual([]));
  };
  await screen.findByText('Connection mode');
  enter(field('Name'), 'other');
  await screen.findByText('1 unsaved change');
  const before = service.callsOf('settings.state').length;
  await outage(shown);
  // The rest of the page is fetched again.
  await waitFor(() => expect(service.callsOf('settings.state').length).toBeGreaterThan(before));
  expect(field('Name').value).toBe('other');

  await user.click(screen.getByText('Reset'));
  await answer('Keep editing');
  await user.click(screen.getByText('Users'));
  await answer('Keep editing');
  await user.click(document.querySelector('[aria-label="Account: admin"]') as Element);
  await user.click(await screen.findByText('Logout'));
  await answer('Keep editing');
  expect([location.pathname, field('Name').value, isHeld()]).toEqual(['/data/setting', 'other', true]);

  await user.click(screen.getByText('Reset'));
  await answer('Discard');
  expect(await screen.findByText('No unsaved changes')).toBeTruthy();
  expect([field('Name').value, isHeld()]).toEqual(['kaptain', false]);

  enter(field('Name'), 'other');
  await user.click(screen.getByText('Users'));
  await answer('Discard');
  expect(await screen.findByRole('heading', { name: 'Users', level: 1 })).toBeTruthy();

  // The forms in dialogs are guarded in the same way.
  await user.click(await screen.findByText('Create User'));
  await screen.findByText('Add User');
  enter(field('User Name'), 'half');
  history.back();
  await answer('Keep editing');
  expect([location.pathname, field('User Name').value]).toEqual(['/system/users', 'half']);
});

test('a save asks with what changes; when the session ends with it, the entered values stay and that is no failure; a refusal is put at the field it is about', async () => {
  let isExpired = true;
  const { user, service } = renderScreen('/data/setting', {
    as: adminUser,
    answers: {
      session: {
        status: () => ({ status: 'initialized' }),
        login: () => ({ accessToken: 'token-2', user: adminUser }),
      },
      settings: {
        get: () => fullSettings(),
        state: () => state,
        update: () =>
          isExpired
            ? refuse('NOT_LOGGED_IN', 'Log in again.')
            : refuse('BAD_INPUT', 'Please enter the password again'),
      },
    },
  });
  await screen.findByText('Connection mode');
  enter(field('Name'), 'other');
  await screen.findByText('1 unsaved change');
  await user.click(submitButton());
  expect(await question()).toBeTruthy();
  expect(dialog().getByText('Database settings')).toBeTruthy();
  expect(service.callsOf('settings.update')).toEqual([]);
  await user.click(dialog().getByText('Yes'));
  await screen.findByText(/what you have entered is kept/);
  const login = document.querySelector('input[autocomplete=username]')?.closest('form') as HTMLElement;
  enter(within(login).getByLabelText('Password'), 'x');
  isExpired = false;
  await user.click(within(login).getByText('Log in', { selector: 'button *' }));
  await waitFor(() => expect(location.pathname).toBe('/data/setting'));
  expect(await screen.findByText('1 unsaved change')).toBeTruthy();
  expect(field('Name').value).toBe('other');
  expect(screen.queryByText('Error saving!')).toBeNull();
  expect(screen.queryByText('Log in again.')).toBeNull();

  await user.click(submitButton());
  await question();
  await user.click(dialog().getByText('Yes'));
  expect(await screen.findByText('Error saving!')).toBeTruthy();
  expect(service.callsOf('settings.update')[1]?.body).toMatchObject({
    db: { KAPTAIN_DB_NAME: 'other', KAPTAIN_DB_PASS: '********' },
  });
  const password = document.getElementById('setting_db_KAPTAIN_DB_PASS');
  await waitFor(() => expect(document.activeElement).toBe(password));
  const item = within(password?.closest('.ant-form-item') as HTMLElement);
  expect(item.getByText('Please enter the password again')).toBeTruthy();
  expect(field('Name').value).toBe('other');
});
