import { screen, waitFor, within } from '@testing-library/react';
import { lazy } from 'react';
import { describe, expect, test } from 'vitest';
import { PageTitle } from '../shared/PageHeader.tsx';
import type { Answers } from '../testing/fake-service.ts';
import { adminUser, plainUser, renderScreen } from '../testing/render-screen.tsx';
import { type Screen, screens } from './screens.ts';

const sample = (path: string, title: string, access: Screen['access']): Screen => ({
  path,
  title: () => title,
  access,
  menu: 'system',
  Page: lazy(async () => ({ default: () => <PageTitle>{`The page ${title}`}</PageTitle> })),
});
const some: readonly Screen[] = [
  ...screens.filter(({ path }) => path === '/data/kapsules' || path === '/about'),
  sample('/system/users', 'Users', 'admin'),
  sample('/data/apikey', 'Api Key', 'adminWithApiKeys'),
];
const withApiKeys = (apiKey: boolean): Answers => ({
  kapsules: { list: () => [] },
  settings: { get: () => ({ settings: { apiKey, qlikHost: 'CERT' } }) },
});
const entry = (name: string) => screen.findByRole('menuitem', { name });
const isDisabled = (element: HTMLElement) => element.getAttribute('aria-disabled') === 'true';

describe('the routes', () => {
  test('lead from / to the kapsule list, and move the focus to the heading of the new page', async () => {
    const answers = { ...withApiKeys(false), about: { version: () => '1.4.0' } };
    const { user } = renderScreen('/', { as: plainUser, answers, isMenuOpen: true });
    await screen.findByRole('heading', { name: 'Kapsules' });
    expect([location.pathname, document.title]).toEqual(['/data/kapsules', 'Kapsules · Kaptain']);

    const entries = screen.getByRole('navigation', { name: 'Main' }).querySelectorAll('.ant-menu-item');
    expect(Array.from(entries, ({ textContent }) => textContent)).toEqual(['Kapsules', 'Logs', 'About']);
    await user.click(screen.getByRole('link', { name: 'About' }));
    const about = await screen.findByRole('heading', { name: 'About Kaptain' });
    await waitFor(() => expect(document.activeElement).toBe(about));
    const main = within(screen.getByRole('main'));
    expect(await main.findByText('Version 1.4.0')).toBeTruthy();
    expect(screen.getByRole('main').querySelector('svg')).not.toBeNull();
  });

  test('of administrators are not registered for a USER, whose menu has the System group disabled', async () => {
    const { user, service } = renderScreen('/system/users', {
      as: plainUser,
      screens: some,
      answers: withApiKeys(true),
      isMenuOpen: true,
    });
    await screen.findByRole('heading', { name: 'Page not found' });
    expect([isDisabled(await entry('System')), isDisabled(await entry('Data'))]).toEqual([true, false]);
    expect(screen.queryByRole('menuitem', { name: 'Users' })).toBeNull();
    expect(service.callsOf('settings.get')).toEqual([]);
    await user.click(screen.getByText('Back to the start'));
    expect(await screen.findByRole('heading', { name: 'Kapsules' })).toBeTruthy();
  });

  test('of API keys exist while the setting is on, and are never called a wrong address before that is known', async () => {
    const { user } = renderScreen('/data/apikey', {
      as: adminUser,
      screens: some,
      answers: withApiKeys(true),
      isMenuOpen: true,
    });
    expect(screen.queryByText('Page not found')).toBeNull();
    expect(await screen.findByRole('heading', { name: 'The page Api Key' })).toBeTruthy();
    expect(isDisabled(await entry('Api Key'))).toBe(false);
    await user.click(screen.getByRole('link', { name: 'Users' }));
    expect(await screen.findByRole('heading', { name: 'The page Users' })).toBeTruthy();
  });

  test.each([
    ['is off', withApiKeys(false)],
    ['cannot be learned', { kapsules: { list: () => [] } }],
  ])('of API keys do not exist, and the entry is disabled, when the setting %s', async (_, answers) => {
    renderScreen('/data/apikey', { as: adminUser, screens: some, answers, isMenuOpen: true });
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
    expect([isDisabled(await entry('Api Key')), isDisabled(await entry('Users'))]).toEqual([true, false]);
  });
});

describe('the shell', () => {
  test('opens the palette with Ctrl-K, shows no group without a screen, and remembers a collapsed menu', async () => {
    const options = {
      as: adminUser,
      screens: some.slice(0, 2),
      answers: withApiKeys(false),
      isMenuOpen: true,
    };
    const { user, unmount } = renderScreen('/data/kapsules', options);
    await screen.findByRole('heading', { name: 'Kapsules' });
    expect(screen.queryByRole('menuitem', { name: 'System' })).toBeNull();
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox'), 'abo{Enter}');
    expect(await screen.findByRole('heading', { name: 'About Kaptain' })).toBeTruthy();
    await user.click(screen.getByLabelText('Collapse the menu'));
    unmount();
    renderScreen('/about', options);
    expect(await screen.findByLabelText('Open the menu')).toBeTruthy();
  });
});
