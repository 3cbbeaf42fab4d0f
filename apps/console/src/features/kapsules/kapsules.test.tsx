import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { screens } from '../../app/screens.ts';
import { refuse } from '../../testing/fake-service.ts';
import { plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { sampleKapsule as kapsule } from '../../testing/sample-kapsule.ts';

const list = [
  kapsule({
    name: 'Sales',
    table: 'SalesComments',
    owner: 'CORPORATE\\jane.d1',
    granules: { total: 1234, notReloaded: 12 },
  }),
  kapsule({ name: 'budget', table: 'FC', owner: 'CORPORATE\\jane.do2', database: 'mssql' }),
  kapsule({ name: 'Année', table: 'T_2', owner: 'x' }),
];
const answers = { kapsules: { list: () => list } };
const rows = async () => {
  const table = await screen.findByRole('table', { name: /./ });
  return within(table).getAllByRole('row').slice(1);
};
// The first cell is the checkbox.
const names = async () => (await rows()).map((row) => within(row).getAllByRole('cell')[1]?.textContent);

afterEach(() => vi.restoreAllMocks());

describe('the kapsule list', () => {
  test('shows every column of a kapsule', async () => {
    renderScreen('/data/kapsules', { as: plainUser, answers });
    const [, , sales] = await rows();
    const cells = sales
      ? within(sales)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent)
      : [];
    expect(cells.slice(1, -1)).toEqual([
      'Sales',
      'SalesComments',
      'OrderID',
      'kaptaindb',
      'CORPORATE\\jane.d1',
      '1',
      '1% not reloaded1,234',
      '2026-03-04 05:06:07',
    ]);
  });

  test('says of a kapsule alone what stands in the way of its granules', async () => {
    const far = {
      name: 'Far',
      database: 'postgresql',
      state: 'unavailable',
      stateMessage: 'PostgreSQL: The server can not be reached.',
    };
    const { user } = renderScreen('/data/kapsules', {
      as: plainUser,
      answers: { kapsules: { list: () => [kapsule(far), kapsule({ name: 'Near' })] } },
    });
    await user.hover(await screen.findByText('Unavailable'));
    expect(await screen.findByText(far.stateMessage)).toBeTruthy();
    expect(screen.getAllByText('Unavailable')).toHaveLength(1);
  });

  test('cuts the owner after 18 characters and keeps the whole in a tooltip', async () => {
    const { user } = renderScreen('/data/kapsules', {
      as: plainUser,
      answers: {
        kapsules: {
          list: () => [
            kapsule({ name: 'A', owner: 'exactly-18-letters' }),
            kapsule({ name: 'B', owner: 'one-more-than-18-ch' }),
          ],
        },
      },
    });
    expect(await screen.findByText('exactly-18-letters')).toBeTruthy();
    await user.hover(screen.getByText('one-more-than-18-c…'));
    expect((await screen.findByRole('tooltip')).textContent).toBe('one-more-than-18-ch');
  });

  test('is sorted by name at first, then by the column that is clicked, and the URL says so', async () => {
    const { user } = renderScreen('/data/kapsules', { as: plainUser, answers });
    expect(await names()).toEqual(['Année', 'budget', 'Sales']);
    await user.click(screen.getByRole('columnheader', { name: 'Table' }));
    expect(await names()).toEqual(['budget', 'Sales', 'Année']);
    expect(location.search).toBe('?sort=table');
    await user.click(screen.getByRole('columnheader', { name: 'Table' }));
    expect(await names()).toEqual(['Année', 'Sales', 'budget']);
    expect(location.search).toBe('?sort=-table');
  });

  test.each([
    ['the name in any case', 'BUDG', ['budget']],
    ['the table in any case', 'salescomm', ['Sales']],
  ])('is searched by %s', async (_, typed, expected) => {
    const { user } = renderScreen('/data/kapsules', { as: plainUser, answers });
    await user.type(await screen.findByRole('searchbox'), typed);
    await waitFor(async () => expect(await names()).toEqual(expected));
    expect(screen.getByRole('status').textContent).toBe('1 of 3 kapsules');
    expect(new URLSearchParams(location.search).get('q')).toBe(typed);
  });

  test('keeps every letter of the search that is typed before the list is rendered', async () => {
    renderScreen('/data/kapsules', { as: plainUser, answers });
    const search = await screen.findByRole<HTMLInputElement>('searchbox');
    await userEvent.setup({ delay: null }).type(search, 'budget');
    expect(search.value).toBe('budget');
    await waitFor(() => expect(location.search).toBe('?q=budget'));
  });

  test('is not searched by the owner', async () => {
    renderScreen('/data/kapsules?q=corporate', { as: plainUser, answers });
    expect(await screen.findByText('No kapsule matches “corporate”')).toBeTruthy();
  });

  test('takes the search from the URL; / leads to it', async () => {
    const { user } = renderScreen('/data/kapsules?q=sales', { as: plainUser, answers });
    expect(await names()).toEqual(['Sales']);
    await user.keyboard('/');
    expect(document.activeElement).toBe(screen.getByRole('searchbox'));
  });

  test('understands a wrapped list with only the barest fields', async () => {
    const foreign = () => Response.json({ data: [{ _id: '1', name: 'Foreign' }] });
    renderScreen('/data/kapsules', { as: plainUser, answers: { kapsules: { list: foreign } } });
    expect(await names()).toEqual(['Foreign']);
  });

  test('links to a kapsule only when there is a screen for it', async () => {
    const known = screens.filter(({ path }) => !path.includes(':'));
    renderScreen('/data/kapsules', { as: plainUser, answers, screens: known });
    await rows();
    expect(screen.queryByRole('link', { name: 'Sales' })).toBeNull();
  });
});

describe('a kapsule list that cannot be loaded', () => {
  test('says so in the words of the specification, logs the error, and can be tried again', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let isBroken = true;
    const { user } = renderScreen('/data/kapsules', {
      as: plainUser,
      answers: {
        kapsules: { list: () => (isBroken ? refuse('UNAVAILABLE', 'The database sleeps.') : list) },
      },
    });
    expect(await screen.findByText('Kapsules load Failed! Check console for log')).toBeTruthy();
    expect(screen.getByText('The database sleeps.')).toBeTruthy();
    expect(screen.getByText('request-1')).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
    expect(logged).toHaveBeenCalledWith(expect.objectContaining({ message: 'The database sleeps.' }));
    isBroken = false;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await names()).toHaveLength(3);
  });

  test('is called by the word of the variant', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const broken = { kapsules: { list: () => refuse('INTERNAL', 'broken') } };
    renderScreen('/data/kapsules', { as: plainUser, variant: 'alternative', answers: broken });
    expect(await screen.findByText('Data sources load Failed! Check console for log')).toBeTruthy();
  });
});

test('the alternative variant never says kapsule or granule', async () => {
  renderScreen('/data/kapsules', { as: plainUser, variant: 'alternative', answers });
  await rows();
  expect(screen.getByRole('heading', { name: 'Data sources' })).toBeTruthy();
  expect(screen.getByRole('columnheader', { name: 'Records' })).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/kapsule|granule|komment|kaptain/i);
  expect(document.title).toBe('Data sources · Commentary');
});
