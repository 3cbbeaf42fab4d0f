import type { LastApply } from '@kaptain/contract/settings/generations';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { fieldOf as field, labelled } from '../../testing/labelled.ts';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';
import { freshSettings, fullSettings, settingsState as state } from './settings-fixture.ts';

const open = (settings: NonNullable<Answers['settings']>, isMenuOpen = false) =>
  renderScreen('/data/setting', { as: adminUser, answers: { settings }, isMenuOpen });
const dialog = () => within(screen.getByRole('dialog'));

describe('the settings page', () => {
  test('says Something Error! at the spinner when the settings cannot be loaded, and on Retry what was rolled back', async () => {
    let isDown = true;
    const get = () => (isDown ? refuse('UNAVAILABLE', 'The service is busy.') : fullSettings());
    const lastApply = {
      ...state.lastApply,
      status: 'rolledBack',
      generation: 8,
      reason: 'Port taken.',
    } as const;
    const { user } = open({ get, state: () => ({ ...state, lastApply }) });
    expect((await screen.findByText('Something Error!')).className).toContain('description');
    expect(screen.getByText('The service is busy.')).toBeTruthy();
    isDown = false;
    await user.click(screen.getByText('Retry'));
    const title = await screen.findByText('The last change of the settings was rolled back');
    expect(title.closest('[role=alert]')?.textContent).toContain(
      'Port taken. The service runs with the settings from before; version 8 was given up at 2026-03-04 05:06:07.',
    );
    expect(screen.getByText('Connection mode')).toBeTruthy();

    // Alt with a page key goes to the next or previous section.
    const reached: unknown[] = [];
    for (const key of ['PageDown', 'PageDown', 'PageDown', 'PageUp']) {
      await user.keyboard(`{Alt>}{${key}}{/Alt}`);
      reached.push(document.activeElement?.querySelector('h2')?.textContent);
    }
    expect(reached).toEqual(['System', 'Security', 'Platform Connection', 'Security']);
  });

  test('says why a restart failed, and offers another one', async () => {
    const failed = { status: 'restartFailed', reason: 'No memory.' } as const;
    let lastApply: LastApply = { ...state.lastApply, ...failed };
    const { user, service } = open({
      get: () => fullSettings(),
      state: () => ({ ...state, lastApply }),
      restart: () => refuse('FORBIDDEN', 'Not now.'),
    });
    const banner = async (title: string) =>
      (await screen.findByText(title)).closest('[role=alert]')?.textContent;
    expect(await banner('The last restart failed')).toContain(
      'No memory. The service goes on with the same settings. Tried at 2026-03-04 05:06:07',
    );
    lastApply = { ...lastApply, status: 'waiting' };
    await user.click(screen.getByText('Restart now'));
    expect(await banner('The saved settings wait for a restart')).toContain(
      'The last restart failed: No memory. The service still runs with the ones from before.',
    );
    expect(service.callsOf('settings.restart')).toHaveLength(1);
  });

  test('of a service that knows only the calls of the specification offers nothing else', async () => {
    const info = fullSettings({ settings: { qlikHost: 'CARRIER PIGEON' } });
    open({ get: () => Response.json({ data: info }) });
    // An unknown connection mode is shown as an error and can be replaced.
    expect(await screen.findByText('Something Error!')).toBeTruthy();
    expect(screen.getByText(/“CARRIER PIGEON” is not known/)).toBeTruthy();
    for (const extra of ['History', 'Export', 'Import', 'Test connection', 'Built-in'])
      expect(screen.queryByText(extra)).toBeNull();
    expect(screen.getByText('No unsaved changes')).toBeTruthy();
  });

  test('asks before saving with what changes, and puts a refusal at the field it is about', async () => {
    const { user, service } = open({
      get: () => fullSettings(),
      state: () => state,
      update: () => refuse('BAD_INPUT', 'Please enter the password again'),
    });
    await screen.findByText('Connection mode');
    fireEvent.change(field('Name'), { target: { value: 'other' } });
    expect(await screen.findByText('1 unsaved change')).toBeTruthy();
    await user.click(screen.getByText('Submit', { selector: 'button *' }));
    expect(await screen.findByRole('dialog', { name: 'Are you sure to save the settings?' })).toBeTruthy();
    expect(dialog().getByText('Database settings')).toBeTruthy();
    expect(service.callsOf('settings.update')).toEqual([]);
    await user.click(dialog().getByText('Yes'));
    expect(await screen.findByText('Error saving!')).toBeTruthy();
    expect(service.callsOf('settings.update')[0]?.body).toMatchObject({
      db: { KAPTAIN_DB_NAME: 'other', KAPTAIN_DB_PASS: '********' },
    });
    const password = document.getElementById('setting_db_KAPTAIN_DB_PASS');
    await waitFor(() => expect(document.activeElement).toBe(password));
    expect(
      within(password?.closest('.ant-form-item') as HTMLElement).getByText('Please enter the password again'),
    ).toBeTruthy();
    expect(field('Name').value).toBe('other');
  });

  test('keeps what was entered when the session ends with a save, and calls that no failure', async () => {
    const { user } = renderScreen('/data/setting', {
      as: adminUser,
      answers: {
        session: {
          status: () => ({ status: 'initialized' }),
          login: () => ({ accessToken: 'token-2', user: adminUser }),
        },
        settings: {
          get: () => fullSettings(),
          state: () => state,
          update: () => refuse('NOT_LOGGED_IN', 'Log in again.'),
        },
      },
    });
    await screen.findByText('Connection mode');
    fireEvent.change(field('Name'), { target: { value: 'other' } });
    await screen.findByText('1 unsaved change');
    await user.click(screen.getByText('Submit', { selector: 'button *' }));
    await screen.findByRole('dialog', { name: 'Are you sure to save the settings?' });
    await user.click(dialog().getByText('Yes'));
    const login = (await screen.findByLabelText('Username')).closest('form') as HTMLFormElement;
    await user.type(within(login).getByLabelText('Password'), 'x{Enter}');
    await waitFor(() => expect(location.pathname).toBe('/data/setting'));
    expect(await screen.findByText('1 unsaved change')).toBeTruthy();
    expect(field('Name').value).toBe('other');
    expect(screen.queryByText('Error saving!')).toBeNull();
    expect(screen.queryByText('Log in again.')).toBeNull();
  });
});

test('the settings of a fresh installation are saved without a platform, which is not tried either; once its block is used, its texts are required', async () => {
  const backup = { every: 'day', hour: 2, keep: 7, folder: '' };
  const { user, service } = open({ get: () => freshSettings({ backup }), state: () => state });
  const submit = () => user.click(screen.getByText('Submit', { selector: 'button *' }));
  await user.click(await screen.findByLabelText('Test connection: Qlik'));
  expect(await screen.findByText('Engine Hostname is required!')).toBeTruthy();
  expect(service.callsOf('settings.testConnection')).toEqual([]);

  fireEvent.click(field('API Key'));
  await submit();
  expect(await screen.findByRole('dialog', { name: 'Are you sure to save the settings?' })).toBeTruthy();
  await user.click(dialog().getByText('Cancel'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByText('Engine Hostname is required!')).toBeNull();

  fireEvent.change(field('Qlik User ID'), { target: { value: 'sa_api' } });
  await submit();
  expect(await screen.findAllByText('Engine Hostname is required!')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();

  // Backups belong to the built-in database.
  fireEvent.change(field('Backups to keep'), { target: { value: '0' } });
  expect(await screen.findByText('Backups to keep must be between 1 and 365')).toBeTruthy();
  await user.click(screen.getByText('postgres'));
  expect(labelled('Backups to keep')).toBeNull();
});

test('a stored secret is cleared and kept, and the result of a connection test disappears when what was tested is changed', async () => {
  const { user } = open({
    get: () => fullSettings(),
    state: () => state,
    testConnection: () => ({ ok: false, category: 'unknownHost', message: 'No such host.' }),
  });
  const card = within((await screen.findByText('MySQL')).closest('article') as HTMLElement);
  const password = document.getElementById('setting_mysql_MYSQL_PASSWORD') as HTMLInputElement;
  const shown = () => [password.value, password.placeholder];
  expect(shown()).toEqual(['', '•••••••• (set)']);
  await user.click(card.getByText('Clear'));
  expect(shown()).toEqual(['', 'Will be cleared']);
  expect(screen.getByText('1 unsaved change')).toBeTruthy();
  await user.click(card.getByText('Keep'));
  expect(shown()).toEqual(['', '•••••••• (set)']);
  expect(screen.getByText('No unsaved changes')).toBeTruthy();

  await user.click(screen.getByLabelText('Test connection: Qlik'));
  expect(await screen.findByText('Host not found')).toBeTruthy();
  fireEvent.change(field('Engine Hostname'), { target: { value: 'other.example.com' } });
  await waitFor(() => expect(screen.queryByText('Host not found')).toBeNull());
});

test('Reset and every way out of the page ask before they discard entered values', async () => {
  const { user } = open({ get: () => fullSettings(), state: () => state }, true);
  const isHeld = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const answer = async (text: string) => {
    const [title] = await screen.findAllByText('Discard what you have entered?');
    await user.click(within(title?.closest('[role=dialog]') as HTMLElement).getByText(text));
    await waitFor(() => expect(screen.queryAllByText('Discard what you have entered?')).toEqual([]));
  };
  await screen.findByText('Connection mode');
  fireEvent.change(field('Name'), { target: { value: 'other' } });
  await screen.findByText('1 unsaved change');
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

  fireEvent.change(field('Name'), { target: { value: 'other' } });
  await user.click(screen.getByText('Users'));
  await answer('Discard');
  expect(await screen.findByRole('heading', { name: 'Users', level: 1 })).toBeTruthy();

  // The forms in dialogs are guarded in the same way.
  await user.click(await screen.findByText('Create User'));
  await screen.findByText('Add User');
  fireEvent.change(field('User Name'), { target: { value: 'half' } });
  history.back();
  await answer('Keep editing');
  expect([location.pathname, field('User Name').value]).toEqual(['/system/users', 'half']);
});

test('the alternative variant does not call an SQL database of the settings what it calls a kapsule', async () => {
  const answers = { settings: { get: () => fullSettings({ mysql: undefined }), state: () => state } };
  const { user } = renderScreen('/data/setting', { as: adminUser, variant: 'alternative', answers });
  expect(await screen.findByText('There is no external storage yet.')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'External Storage List' })).toBeTruthy();
  await user.click(screen.getByText('Add external storage'));
  expect(await screen.findByText('Please Select External Storage Type!')).toBeTruthy();
  expect(screen.getByText('Error: No dataSourceType!')).toBeTruthy();
});
