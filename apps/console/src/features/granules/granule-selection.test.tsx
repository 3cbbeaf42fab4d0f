import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { refuse } from '../../testing/fake-service.ts';
import { adminUser, plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { visitedLinks } from '../../testing/visited-links.ts';
import { pageOf, path, rows, serviceWith } from './granules-fixture.ts';

const button = (text: string) =>
  waitFor(() => screen.getByText(text, { selector: 'button *' }).closest('button') as HTMLButtonElement);
const box = (name: string) => screen.findByLabelText(name);

const visited = visitedLinks();

test('Export and Delete Selection ask first, and work on exactly what is filtered or selected, or on everything that matches on all pages, if it is still as many', async () => {
  let total = 12_345;
  let isStopped = true;
  const stopped = 'Stopped after 500 of 12000: You may not do this.';
  const { user, service } = renderScreen(`${path}?q=a%20b&show=reloaded`, {
    as: plainUser,
    answers: serviceWith(
      {
        // A common word, whose matches are counted apart.
        list: () =>
          pageOf({
            total: 405,
            totalIsExact: false,
            summary: { total, reloaded: 12_000, notReloaded: total - 12_000 },
          }),
        countMatching: () => ({ total: 12_000 }),
        remove: () => {
          total -= 1;
          return { deleted: 1 };
        },
        removeMatching: () => (isStopped ? refuse('FORBIDDEN', stopped) : { deleted: 12_000 }),
      },
      { downloads: { ticket: ({ body }) => ({ url: `${body.path}&ticket=t` }) } },
    ),
  });
  const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await screen.findByText('12,000 of 12,345 granules')).toBeTruthy();
  expect(service.callsOf('granules.countMatching')[0]?.url).toMatch(/count\?q=a\+b&reloaded=true$/);
  await user.click(await button('Export'));
  await user.click(await screen.findByText('QVD'));
  expect(await screen.findAllByText('Are you sure to export 12,000 granules as QVD?')).not.toHaveLength(0);
  expect(visited).toEqual([]);
  await user.click(await button('Yes'));
  const address = '/api/kapsule/k1/export?format=qvd&q=a+b&reloaded=true&ticket=t';
  await waitFor(() => expect(visited).toEqual([address]));
  await closed();

  expect((await button('Delete Selection')).disabled).toBe(true);
  await user.click(await box('Select A1'));
  await user.click(await box('Select A3'));
  await user.click(await button('Delete Selection (2)'));
  await user.click(await button('Yes'));
  const told = '1 of 2 granules is deleted; the other one was deleted already.';
  expect(await screen.findByText(told)).toBeTruthy();
  expect(service.callsOf('granules.remove')[0]?.body).toEqual({
    granuleIds: ['id-A1', 'id-A3'],
    sqlType: 'kaptaindb',
    tableName: 'kaptaindb',
  });
  await waitFor(async () => expect((await button('Delete Selection')).disabled).toBe(true));
  await waitFor(() => expect(screen.getByText('Total Records').nextSibling?.textContent).toBe('12,344'));
  await closed();

  await user.click(await box('Select all of this page'));
  await user.click(await button('Select all 12,000 matching'));
  expect(screen.getByText('All 12,000 matching granules are selected.')).toBeTruthy();
  for (const text of [stopped, '12,000 granules are deleted.']) {
    const lists = service.callsOf('granules.list').length;
    await user.click(await button('Delete Selection (12,000)'));
    expect(await screen.findAllByText('Are you sure to delete 12,000 granules?')).not.toHaveLength(0);
    await user.click(await button('Yes'));
    expect(await screen.findByText(text)).toBeTruthy();
    await closed();
    // The remaining granules are read again, also when only a part was deleted.
    await waitFor(() => expect(service.callsOf('granules.list').length).toBeGreaterThan(lists));
    isStopped = false;
  }
  const body = { q: 'a b', reloaded: true, expected: 12_000 };
  expect(service.callsOf('granules.removeMatching').map((call) => call.body)).toEqual([body, body]);
});

test('deleted granules are shown to an ADMIN, who can restore them', async () => {
  const deleted = (granule: (typeof rows)[number]) => ({
    ...granule,
    deletedAt: '2026-03-05T10:00:00Z',
    deletedBy: 'UserDirectory=CORP; UserId=max',
  });
  const { user, service } = renderScreen(path, {
    as: adminUser,
    answers: serviceWith({
      list: ({ query }) => (query?.deleted ? pageOf({ data: rows.map(deleted) }) : pageOf()),
      restore: () => ({ restored: 1 }),
      restoreMatching: () => ({ restored: 120 }),
    }),
  });
  const shown = await button('Deleted');
  await user.click(shown);
  await waitFor(() => expect(shown.getAttribute('aria-pressed')).toBe('true'));
  expect(document.activeElement).toBe(shown);
  // Who deleted them, and when.
  const [row] = await screen.findAllByText('max');
  expect(row?.closest('tr')?.textContent).toContain('2026-03-05 10:00:00');
  expect(screen.getByText('Deleted by')).toBeTruthy();
  await waitFor(() => expect(service.callsOf('granules.list').at(-1)?.url).toContain('deleted=true'));
  expect((await button('Restore')).disabled).toBe(true);
  await user.click(await box('Select A2'));
  await user.click(await button('Restore (1)'));
  await user.click(await button('Yes'));
  expect(await screen.findByText('1 granule is restored.')).toBeTruthy();
  expect(service.callsOf('granules.restore')[0]?.body).toEqual({ granuleIds: ['id-A2'] });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(await box('Select all of this page'));
  await user.click(await button('Select all 120 matching'));
  await user.click(await button('Restore (120)'));
  await user.click(await button('Yes'));
  expect(await screen.findByText('120 granules are restored.')).toBeTruthy();
  expect(service.callsOf('granules.restoreMatching')[0]?.body).toEqual({ expected: 120 });
});
