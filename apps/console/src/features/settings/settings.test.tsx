import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';
import { fullSettings } from './settings-fixture.ts';

const state = {
  generation: 7,
  running: 7,
  lastApply: { status: 'applied', generation: 7, at: '2026-03-04T05:06:07Z', reason: null },
  license: { kind: 'none', holder: null, expiresAt: null, isExpired: false, message: '' },
} as const;

const open = (settings: NonNullable<Answers['settings']>) =>
  renderScreen('/data/setting', { as: adminUser, answers: { settings } });
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' });
const dialog = () => within(screen.getByRole('dialog'));

describe('the settings page', () => {
  test('says Something Error! at the spinner when the settings cannot be loaded, and comes back on Retry', async () => {
    let isDown = true;
    const get = () => (isDown ? refuse('UNAVAILABLE', 'The service is busy.') : fullSettings());
    const { user } = open({ get });
    expect((await screen.findByText('Something Error!')).className).toContain('description');
    expect(screen.getByText('The service is busy.')).toBeTruthy();
    isDown = false;
    await user.click(screen.getByText('Retry'));
    expect(await screen.findByText('Connection mode')).toBeTruthy();
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
    fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'other' } });
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
});
