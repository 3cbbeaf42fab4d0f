import { screen, waitFor } from '@testing-library/react';
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
  test('lead from / to the kapsule list', async () => {
    renderScreen('/', { as: plainUser, answers: withApiKeys(false) });
    await screen.findByRole('heading', { name: 'Kapsules' });
    expect(location.pathname).toBe('/data/kapsules');
    expect(document.title).toBe('Kapsules · Kaptain');
  });

  test('of administrators exist for an ADMIN', async () => {
    renderScreen('/system/users', { as: adminUser, screens: some, answers: withApiKeys(false) });
    expect(await screen.findByRole('heading', { name: 'The page Users' })).toBeTruthy();
  });

  test('of administrators are not registered for a USER', async () => {
    renderScreen('/system/users', { as: plainUser, screens: some, answers: withApiKeys(true) });
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
  });

  test('that nobody knows are a page inside the shell', async () => {
    const { user } = renderScreen('/nowhere', { as: plainUser, answers: withApiKeys(false) });
    await screen.findByRole('heading', { name: 'Page not found' });
    await user.click(screen.getByRole('button', { name: 'Back to the start' }));
    expect(await screen.findByRole('heading', { name: 'Kapsules' })).toBeTruthy();
  });

  test('move the focus to the heading of the new page', async () => {
    const { user } = renderScreen('/about', { as: plainUser, answers: withApiKeys(false) });
    await screen.findByRole('heading', { name: 'About Kaptain' });
    await user.click(screen.getByRole('link', { name: 'Kapsules' }));
    const heading = await screen.findByRole('heading', { name: 'Kapsules' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
  });
});

describe('API keys', () => {
  test('have their page while the setting is on', async () => {
    renderScreen('/data/apikey', { as: adminUser, screens: some, answers: withApiKeys(true) });
    // Not even for a moment, while the service is asked, is it called a wrong address.
    expect(screen.queryByText('Page not found')).toBeNull();
    expect(await screen.findByRole('heading', { name: 'The page Api Key' })).toBeTruthy();
    expect(isDisabled(await entry('Api Key'))).toBe(false);
  });

  test.each([
    ['is off', withApiKeys(false)],
    ['cannot be learned', { kapsules: { list: () => [] } }],
  ])('have no page and a disabled entry when the setting %s', async (_, answers) => {
    renderScreen('/data/apikey', { as: adminUser, screens: some, answers });
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
    expect(isDisabled(await entry('Api Key'))).toBe(true);
    expect(isDisabled(await entry('Users'))).toBe(false);
  });
});

describe('the menu', () => {
  test('disables the whole System group for a USER, who never asks for the settings', async () => {
    const { service } = renderScreen('/about', { as: plainUser, screens: some, answers: withApiKeys(true) });
    expect(isDisabled(await entry('System'))).toBe(true);
    expect(isDisabled(await entry('Data'))).toBe(false);
    expect(screen.queryByRole('menuitem', { name: 'Users' })).toBeNull();
    expect(service.callsOf('settings.get')).toEqual([]);
  });

  test('shows no group that has no screen', async () => {
    renderScreen('/about', { as: adminUser, screens: some.slice(0, 2), answers: withApiKeys(false) });
    await entry('Data');
    expect(screen.queryByRole('menuitem', { name: 'System' })).toBeNull();
  });

  test('remembers that it was collapsed', async () => {
    const { user, unmount } = renderScreen('/about', { as: plainUser, answers: withApiKeys(false) });
    await user.click(await screen.findByRole('button', { name: 'Collapse the menu' }));
    unmount();
    renderScreen('/about', { as: plainUser, answers: withApiKeys(false) });
    expect(await screen.findByRole('button', { name: 'Open the menu' })).toBeTruthy();
  });
});

describe('the palette', () => {
  test('opens with Ctrl-K and leads to a page', async () => {
    const { user } = renderScreen('/data/kapsules', { as: plainUser, answers: withApiKeys(false) });
    await screen.findByRole('heading', { name: 'Kapsules' });
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox'), 'abo{Enter}');
    expect(await screen.findByRole('heading', { name: 'About Kaptain' })).toBeTruthy();
  });
});
