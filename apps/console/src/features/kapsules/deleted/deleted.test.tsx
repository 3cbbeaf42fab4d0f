import type { DeletedKapsule } from '@kaptain/contract/deleted-kapsules';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { enter } from '../../../testing/enter.ts';
import { refuse } from '../../../testing/fake-service.ts';
import { adminUser, plainUser, renderScreen } from '../../../testing/render-screen.tsx';
import { sampleKapsule } from '../../../testing/sample-kapsule.ts';

const entry: DeletedKapsule = {
  _id: 'd1',
  name: 'Sales',
  owner: 'mara',
  database: 'kaptaindb',
  tableName: 'kaptaindb',
  granules: 1234,
  deletedAt: '2026-03-01T08:00:00Z',
  deletedBy: 'jo',
  purgeAt: '2026-03-31T08:00:00Z',
  dropsTable: false,
};
const elsewhere = {
  ...entry,
  _id: 'd2',
  name: 'Budget',
  database: 'mysql',
  tableName: 'Notes',
  dropsTable: true,
};
const nameTaken = () =>
  Response.json(
    {
      statusCode: 409,
      code: 'CONFLICT',
      message: 'Sales exists already.',
      requestId: 'r',
      details: { field: 'name' },
    },
    { status: 409 },
  );
const stock = sampleKapsule({ name: 'Stock', ownerId: 'u-mara' });

test('deleted kapsules that could not be loaded are not called none; then each tells what it was, and is deleted for good', async () => {
  const { granules: _, ...budget } = elsewhere;
  let present = [entry, budget];
  let isBroken = true;
  const { user } = renderScreen('/data/kapsules', {
    as: adminUser,
    answers: {
      kapsules: { list: () => [stock] },
      deletedKapsules: {
        list: () => (isBroken ? refuse('UNAVAILABLE', 'The database sleeps.') : present),
        purge: ({ params }) => {
          present = present.filter(({ _id }) => _id !== params.id);
          return { status: 'success' };
        },
      },
    },
  });
  // The list is fetched when it is opened.
  await user.click(await screen.findByText('Deleted'));
  const panel = within(await screen.findByRole('alert'));
  expect(panel.getByText('The deleted kapsules could not be loaded')).toBeTruthy();
  expect(panel.getByText('The database sleeps.')).toBeTruthy();
  expect(screen.queryByText('No deleted kapsules')).toBeNull();
  isBroken = false;
  await user.click(panel.getByText('Retry'));
  const list = within(await screen.findByRole('list', { name: 'Deleted kapsules' }));
  expect(screen.queryByRole('alert')).toBeNull();
  const [first, second] = list.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(first).toContain('1,234 granules, owned by mara');
  expect(first).toContain('by jo');
  expect(second).toContain('Table Notes on mysql');
  expect(second).toContain('then its table is deleted');

  expect(screen.getByText('Deleted (2)')).toBeTruthy();
  await user.click(list.getByLabelText('Delete for good: Budget'));
  await user.click(await screen.findByText('Yes'));
  expect(await screen.findByText('Budget is deleted for good.')).toBeTruthy();
  await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(1));
  expect(screen.getByText('Deleted (1)')).toBeTruthy();
});

test('one whose name is taken is restored under another, once by Enter; the field keeps the focus while it is refused again', async () => {
  const kapsules = [stock];
  let present = [entry];
  const names: (string | undefined)[] = [];
  let answer = Promise.withResolvers<Response>();
  const restore = async ({ body }: { body: { name?: string | undefined } }) => {
    names.push(body.name);
    if (body.name === undefined) return nameTaken();
    if (body.name !== 'Sales 2025') return answer.promise;
    const restored = sampleKapsule({ name: body.name });
    kapsules.push(restored);
    present = [];
    return restored;
  };
  const { user } = renderScreen('/data/kapsules', {
    as: adminUser,
    answers: { kapsules: { list: () => kapsules }, deletedKapsules: { list: () => present, restore } },
  });
  await user.click(await screen.findByText('Deleted'));
  await user.click(await screen.findByLabelText('Restore Sales'));
  const field = await screen.findByLabelText<HTMLInputElement>('New name of Sales');
  expect(field.value).toBe('Sales (restored)');
  await waitFor(() => expect(document.activeElement).toBe(field));
  enter(field, 'Stock');
  await user.keyboard('{Enter}{Enter}');
  await waitFor(() => expect(names).toEqual([undefined, 'Stock']));
  answer.resolve(nameTaken());
  const button = screen.getByText('Restore under this name').closest('button') as HTMLButtonElement;
  await waitFor(() => expect(button.className).not.toContain('loading'));
  expect(names).toEqual([undefined, 'Stock']);
  expect(document.activeElement).toBe(field);

  // Another failure leaves the field as well: the name can be tried again.
  answer = Promise.withResolvers();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(names).toHaveLength(3));
  answer.resolve(refuse('UNAVAILABLE', 'The database sleeps.'));
  expect(await screen.findByText('The database sleeps.')).toBeTruthy();
  expect(document.activeElement).toBe(field);

  enter(field, 'Sales 2025');
  await user.click(button);
  expect(await screen.findByText('Sales 2025 is restored.')).toBeTruthy();
  expect(names.slice(3)).toEqual(['Sales 2025']);
  expect(await screen.findByLabelText('Select Sales 2025')).toBeTruthy();
  await user.click(await screen.findByText('Deleted'));
  expect(await screen.findByText('What is deleted can be restored here for 30 days.')).toBeTruthy();
});

test('a row that leaves the list tells the result of its restore, also when another tab was first; then a USER reads what can be restored', async () => {
  let present = [entry, elsewhere];
  // The list of kapsules arrives last, after the row has left.
  let isSlow = false;
  const later = () => new Promise<void>((resolve) => setTimeout(resolve, 100));
  const { user } = renderScreen('/data/kapsules', {
    as: plainUser,
    answers: {
      kapsules: {
        list: async () => {
          if (isSlow) await later();
          return [stock];
        },
      },
      deletedKapsules: {
        list: () => present,
        restore: ({ params }) => {
          isSlow = true;
          present = present.filter(({ _id }) => _id !== params.id);
          return params.id === 'd1'
            ? refuse('NOT_FOUND', 'There is no such kapsule.')
            : sampleKapsule({ name: 'Budget' });
        },
      },
    },
  });
  await user.click(await screen.findByText('Deleted'));
  await user.click(await screen.findByLabelText('Restore Sales'));
  expect(await screen.findByText('Sales is no longer among the deleted kapsules.')).toBeTruthy();
  expect(screen.queryByLabelText('Restore Sales')).toBeNull();
  await user.click(screen.getByLabelText('Restore Budget'));
  expect(await screen.findByText('Budget is restored.')).toBeTruthy();
  expect(screen.queryByLabelText('Restore Budget')).toBeNull();
  await user.click(await screen.findByText('Deleted'));
  const own = 'Your own deleted kapsules can be restored here for 30 days.';
  expect(await screen.findByText(own)).toBeTruthy();
});
