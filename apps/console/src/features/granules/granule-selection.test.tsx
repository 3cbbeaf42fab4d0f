import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refuse } from '../../testing/fake-service.ts';
import { adminUser, plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { granule, kapsule, pageOf, path, serviceWith } from './granules-fixture.ts';

const button = (name: string) => screen.findByRole('button', { name });
const box = (name: string) => screen.findByRole('checkbox', { name });
const isDisabled = (element: HTMLElement) => (element as HTMLButtonElement).disabled;

describe('Delete Selection', () => {
  test('is disabled with nothing selected, then deletes exactly what is', async () => {
    const { user, service } = renderScreen(path, {
      as: plainUser,
      answers: serviceWith({ remove: () => ({ deleted: 2 }) }),
    });
    const action = await button('Delete Selection');
    expect(isDisabled(action)).toBe(true);
    await user.click(await box('Select A1'));
    await user.click(await box('Select A3'));
    await user.click(await button('Delete Selection (2)'));
    await user.click(await button('Yes'));
    expect(await screen.findByText('2 granules are deleted.')).toBeTruthy();
    expect(service.callsOf('granules.remove')[0]?.body).toEqual({
      granuleIds: ['id-A1', 'id-A3'],
      sqlType: 'kaptaindb',
      tableName: 'kaptaindb',
    });
    await waitFor(async () => expect(isDisabled(await button('Delete Selection'))).toBe(true));
  });

  test('reaches across pages: everything that matches, if it is still as many', async () => {
    const { user, service } = renderScreen(`${path}?q=abc&show=reloaded`, {
      as: plainUser,
      answers: serviceWith({
        removeMatching: () => refuse('CONFLICT', 'The records have changed meanwhile.'),
      }),
    });
    await user.click(await box('Select all of this page'));
    await user.click(await button('Select all 120 matching'));
    expect(screen.getByText('All 120 matching granules are selected.')).toBeTruthy();
    await user.click(await button('Delete Selection (120)'));
    await user.click(await button('Yes'));
    expect(await screen.findByText('The records have changed meanwhile.')).toBeTruthy();
    expect(service.callsOf('granules.removeMatching')[0]?.body).toEqual({
      q: 'abc',
      reloaded: true,
      expected: 120,
    });
  });

  test('offers no more than a page while the matches are not all counted', async () => {
    const { user } = renderScreen(path, {
      as: plainUser,
      answers: serviceWith({ list: () => pageOf({ totalIsExact: false }) }),
    });
    await user.click(await box('Select all of this page'));
    expect(await screen.findByText('3 selected.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /matching/ })).toBeNull();
  });

  test('is not for a USER without the permission', async () => {
    const { user } = renderScreen(path, {
      as: plainUser,
      answers: serviceWith({}, { kapsules: { get: () => ({ ...kapsule, authority: ['READ'] }) } }),
    });
    await user.click(await box('Select A1'));
    expect(isDisabled(await button('Delete Selection (1)'))).toBe(true);
  });

  test('works on a plain list of another service, whatever that answers', async () => {
    const { user, service } = renderScreen(path, {
      as: plainUser,
      answers: serviceWith({
        list: () => Array.from({ length: 70 }, (_, index) => granule(`B${index}`)),
        remove: () => new Response('OK'),
      }),
    });
    await user.click(await box('Select all of this page'));
    await user.click(await button('Select all 70 matching'));
    await user.click(await button('Delete Selection (70)'));
    await user.click(await button('Yes'));
    expect(await screen.findByText('70 granules are deleted.')).toBeTruthy();
    const body = service.callsOf('granules.remove')[0]?.body as { granuleIds: string[] };
    expect(body.granuleIds).toHaveLength(70);
  });
});

describe('the deleted ones', () => {
  test('are not for a USER, even by the URL', async () => {
    const { service } = renderScreen(`${path}?show=deleted`, { as: plainUser, answers: serviceWith() });
    await box('Select A1');
    expect(screen.queryByRole('button', { name: 'Deleted' })).toBeNull();
    expect(service.callsOf('granules.list')[0]?.url).not.toContain('deleted');
  });

  test('are shown to an ADMIN, who can restore them', async () => {
    const { user, service } = renderScreen(path, {
      as: adminUser,
      answers: serviceWith({ restore: () => ({ restored: 1 }) }),
    });
    await user.click(await button('Deleted'));
    await waitFor(() => expect(service.callsOf('granules.list').at(-1)?.url).toContain('deleted=true'));
    expect(isDisabled(await button('Restore'))).toBe(true);
    await user.click(await box('Select A2'));
    await user.click(await button('Restore (1)'));
    await user.click(await button('Yes'));
    expect(await screen.findByText('1 granule is restored.')).toBeTruthy();
    expect(service.callsOf('granules.restore')[0]?.body).toEqual({ granuleIds: ['id-A2'] });
  });
});

describe('Export', () => {
  const visited: string[] = [];
  const note = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link) visited.push(link.href.replace(location.origin, ''));
    if (link) event.preventDefault();
  };
  beforeEach(() => {
    visited.length = 0;
    document.addEventListener('click', note);
  });
  afterEach(() => document.removeEventListener('click', note));

  test.each([
    ['CSV', 'csv'],
    ['QVD', 'qvd'],
  ])('of %s asks first, then downloads exactly what is filtered', async (label, format) => {
    const { user } = renderScreen(`${path}?q=a%20b&show=notReloaded`, {
      as: plainUser,
      answers: serviceWith({}, { downloads: { ticket: ({ body }) => ({ url: `${body.path}&ticket=t` }) } }),
    });
    await user.click(await button('Export'));
    await user.click(await screen.findByRole('menuitem', { name: label }));
    const title = `Are you sure to export 120 granules as ${label}?`;
    expect(await screen.findAllByText(title)).not.toHaveLength(0);
    expect(visited).toEqual([]);
    await user.click(await button('Yes'));
    await waitFor(() =>
      expect(visited).toEqual([`/api/kapsule/k1/export?format=${format}&q=a+b&reloaded=false&ticket=t`]),
    );
  });
});
