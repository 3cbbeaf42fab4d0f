import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { refuse } from '../../testing/fake-service.ts';
import { adminUser, plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { visitedLinks } from '../../testing/visited-links.ts';
import { granule, kapsule, pageOf, path, rows, serviceWith } from './granules-fixture.ts';

const button = (text: string) =>
  waitFor(() => screen.getByText(text, { selector: 'button *' }).closest('button') as HTMLButtonElement);
const box = (name: string) => screen.findByLabelText(name);

describe('Delete Selection', () => {
  test('deletes exactly what is selected, or everything that matches on all pages, if it is still as many', async () => {
    let total = 12_345;
    const { user, service } = renderScreen(`${path}?q=abc&show=reloaded`, {
      as: plainUser,
      answers: serviceWith({
        list: () => pageOf({ summary: { total, reloaded: 12_000, notReloaded: total - 12_000 } }),
        remove: () => {
          total -= 2;
          return { deleted: 2 };
        },
        removeMatching: () => refuse('CONFLICT', 'The records have changed meanwhile.'),
      }),
    });
    expect((await button('Delete Selection')).disabled).toBe(true);
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
    await waitFor(async () => expect((await button('Delete Selection')).disabled).toBe(true));
    await waitFor(() => expect(screen.getByText('Total Records').nextSibling?.textContent).toBe('12,343'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

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

  test('is not for a USER without the permission, and offers no more than a page of matches that can not be counted', async () => {
    const { user, service } = renderScreen(`${path}?show=deleted`, {
      as: plainUser,
      answers: serviceWith(
        {
          list: () => pageOf({ totalIsExact: false }),
          countMatching: () => refuse('TOO_MANY_REQUESTS', 'Too many counts are in progress.'),
        },
        { kapsules: { get: () => ({ ...kapsule, authority: ['READ'] }) } },
      ),
    });
    await user.click(await box('Select all of this page'));
    expect(await screen.findByText('3 selected.')).toBeTruthy();
    await waitFor(() => expect(screen.queryByText(/matching|Counting/)).toBeNull());
    expect((await button('Delete Selection (3)')).disabled).toBe(true);
    // Nor are the import and the deleted granules, even by the URL.
    expect(screen.queryByText('Import')).toBeNull();
    expect(screen.queryByText('Deleted')).toBeNull();
    expect(service.callsOf('granules.list')[0]?.url).not.toContain('deleted');
  });

  test('of all that match a common word counts them first, and asks with their number', async () => {
    const { user, service } = renderScreen(`${path}?q=abc`, {
      as: plainUser,
      answers: serviceWith({
        list: () => pageOf({ total: 405, totalIsExact: false }),
        countMatching: () => ({ total: 12_000 }),
        removeMatching: () => ({ deleted: 12_000 }),
      }),
    });
    expect(await screen.findByText('12,000 of 12,345 granules')).toBeTruthy();
    expect(service.callsOf('granules.countMatching')[0]?.url).toMatch(/count\?q=abc$/);
    await user.click(await box('Select all of this page'));
    await user.click(await button('Select all 12,000 matching'));
    await user.click(await button('Delete Selection (12,000)'));
    expect(await screen.findAllByText('Are you sure to delete 12,000 granules?')).not.toHaveLength(0);
    await user.click(await button('Yes'));
    expect(await screen.findByText('12,000 granules are deleted.')).toBeTruthy();
    expect(service.callsOf('granules.removeMatching')[0]?.body).toEqual({ q: 'abc', expected: 12_000 });
  });

  test('says how many it has deleted, when others were deleted meanwhile', async () => {
    const deleted = [1, 0];
    const { user } = renderScreen(path, {
      as: plainUser,
      answers: serviceWith({ remove: () => ({ deleted: deleted.shift() ?? 0 }) }),
    });
    const told = [
      '1 of 3 granules is deleted; the others were deleted already.',
      '3 granules were deleted already.',
    ];
    for (const text of told) {
      await user.click(await box('Select all of this page'));
      await user.click(await button('Delete Selection (3)'));
      await user.click(await button('Yes'));
      expect(await screen.findByText(text)).toBeTruthy();
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    }
  });

  test('works on a plain list of another service, whatever that answers', async () => {
    const { user, service } = renderScreen(`${path}?size=20`, {
      as: plainUser,
      answers: serviceWith({
        list: () => Array.from({ length: 30 }, (_, index) => granule(`B${index}`)),
        remove: () => new Response('OK'),
      }),
    });
    await user.click(await box('Select all of this page'));
    await user.click(await button('Select all 30 matching'));
    await user.click(await button('Delete Selection (30)'));
    await user.click(await button('Yes'));
    expect(await screen.findByText('30 granules are deleted.')).toBeTruthy();
    const body = service.callsOf('granules.remove')[0]?.body as { granuleIds: string[] };
    expect(body.granuleIds).toHaveLength(30);
  });
});

const deleted = (granule: (typeof rows)[number]) => ({
  ...granule,
  deletedAt: '2026-03-05T10:00:00Z',
  deletedBy: 'UserDirectory=CORP; UserId=max',
});

test('a restore says how many it has restored, when another was restored meanwhile', async () => {
  const { user } = renderScreen(`${path}?show=deleted`, {
    as: adminUser,
    answers: serviceWith({
      list: () => pageOf({ data: rows.map(deleted) }),
      restore: () => ({ restored: 2 }),
    }),
  });
  await user.click(await box('Select all of this page'));
  await user.click(await button('Restore (3)'));
  await user.click(await button('Yes'));
  const told = '2 of 3 granules are restored; the other one was restored already.';
  expect(await screen.findByText(told)).toBeTruthy();
});

test('deleted granules are shown to an ADMIN, who can restore them', async () => {
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

describe('Export', () => {
  const visited = visitedLinks();

  test('asks first, then downloads exactly what is filtered, in the chosen format', async () => {
    const { user } = renderScreen(`${path}?q=a%20b&show=notReloaded`, {
      as: plainUser,
      answers: serviceWith({}, { downloads: { ticket: ({ body }) => ({ url: `${body.path}&ticket=t` }) } }),
    });
    const expected: string[] = [];
    for (const label of ['CSV', 'QVD']) {
      await user.click(await button('Export'));
      await user.click(await screen.findByText(label));
      const title = `Are you sure to export 120 granules as ${label}?`;
      expect(await screen.findAllByText(title)).not.toHaveLength(0);
      expect(visited).toEqual(expected);
      await user.click(await button('Yes'));
      const format = label.toLowerCase();
      expected.push(`/api/kapsule/k1/export?format=${format}&q=a+b&reloaded=false&ticket=t`);
      await waitFor(() => expect(visited).toEqual(expected));
      await waitFor(() => expect(screen.queryByText(title)).toBeNull());
    }
  });
});
