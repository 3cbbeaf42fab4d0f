import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { enter } from '../testing/enter.ts';
import type { Answers } from '../testing/fake-service.ts';
import { adminUser, plainUser, renderScreen } from '../testing/render-screen.tsx';
import { sampleKapsule } from '../testing/sample-kapsule.ts';
import { sampleLog } from '../testing/sample-log.ts';

const sales = sampleKapsule({ _id: 'k1', name: 'Sales' });
const answers: Answers = {
  kapsules: { list: () => [sales], get: () => sales },
  granules: { list: () => [] },
  groups: { list: () => [] },
  users: { list: () => ({ data: [{ userId: 'u-leo', username: 'leo', role: 'USER' as const }] }) },
};

describe('the palette', () => {
  const input = () => screen.findByRole('combobox', { name: /Go to/ });
  const search = async (user: ReturnType<typeof renderScreen>['user'], text: string) => {
    await user.keyboard('{Control>}k{/Control}');
    enter(await input(), text);
  };
  const found = () => screen.getAllByRole('option').map(({ textContent }) => textContent);

  test('finds people and kapsules, and runs actions', async () => {
    const { user } = renderScreen('/about', { as: adminUser, answers });
    await screen.findByRole('heading', { name: 'About Kaptain' });
    expect(await screen.findByText('unknown version')).toBeTruthy();
    await search(user, 'sales');
    await waitFor(() => expect(found()).toEqual(['SalesKapsules']));
    enter(await input(), 'leo');
    await waitFor(() => expect(found()).toEqual(['leoUsers']));
    await user.type(await input(), '{Enter}');
    await waitFor(() => expect(location.pathname + location.search).toBe('/system/users?q=leo'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

    await search(user, 'create group');
    await waitFor(() => expect(found()).toEqual(['Create GroupActions']));
    await user.type(await input(), '{Enter}');
    expect(await screen.findByRole('dialog', { name: 'Create Group' })).toBeTruthy();
    expect(location.pathname).toBe('/system/groups');
  });

  test('of a USER has no people and no action of an ADMIN', async () => {
    const { user, service } = renderScreen('/about', { as: plainUser, answers });
    await screen.findByRole('heading', { name: 'About Kaptain' });
    await search(user, 'e');
    expect(found().filter((text) => /leo|Create|Reload/.test(text))).toEqual([]);
    expect(service.callsOf('users.list')).toEqual([]);
  });
});

test('the breadcrumb of a kapsule has its name', async () => {
  renderScreen('/data/kapsules/k1', { as: plainUser, answers });
  const crumbs = await screen.findByRole('navigation', { name: 'Breadcrumb' });
  await waitFor(() => expect(crumbs.querySelector('[aria-current]')?.textContent).toBe('Sales'));
});

test('a reload that ends while its user is elsewhere is told, with the way to it', async () => {
  let status: 'queued' | 'failed' = 'queued';
  const run = () =>
    sampleLog('Reload Sales', { status, failReason: status === 'failed' ? 'No field.' : null });
  const { user } = renderScreen('/system/logs', {
    as: adminUser,
    answers: {
      ...answers,
      logs: { list: () => ({ data: [sampleLog('Over'), run()], total: 2, totalIsExact: true }) },
      jobs: { rerun: run },
    },
  });
  await user.click(await screen.findByLabelText('Run Over again'));
  await screen.findByText('Over is queued.');
  await user.click(screen.getByRole('link', { name: 'About' }));
  await screen.findByRole('heading', { name: 'About Kaptain' });
  status = 'failed';
  const notice = (await screen.findByText('Reload Sales has failed')).closest<HTMLElement>('[role="alert"]');
  expect(notice?.textContent).toContain('No field.');
  await user.click(within(notice ?? document.body).getByText('Show in the logs'));
  await waitFor(() =>
    expect(location.pathname + location.search).toBe('/system/logs?open=id-Reload%20Sales'),
  );
});
