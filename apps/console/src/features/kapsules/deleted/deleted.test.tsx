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

test('deleted kapsules are listed, restored, under another name where theirs is taken, and deleted for good', async () => {
  const { granules: _, ...budget } = elsewhere;
  let present = [entry, budget];
  const kapsules = [stock];
  const { user, service } = renderScreen('/data/kapsules', {
    as: adminUser,
    answers: {
      kapsules: { list: () => kapsules },
      deletedKapsules: {
        list: () => present,
        restore: ({ body }) => {
          if (body.name === undefined) return nameTaken();
          const restored = sampleKapsule({ name: body.name });
          kapsules.push(restored);
          return restored;
        },
        purge: () => {
          present = [entry];
          return { status: 'success' };
        },
      },
    },
  });
  // The list is fetched when it is opened.
  await user.click(await screen.findByText('Deleted'));
  const list = within(await screen.findByRole('list', { name: 'Deleted kapsules' }));
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

  await user.click(list.getByLabelText('Restore Sales'));
  const name = await list.findByLabelText<HTMLInputElement>('New name of Sales');
  expect(name.value).toBe('Sales (restored)');
  enter(name, 'Sales 2025');
  await user.click(list.getByText('Restore under this name'));
  expect(await screen.findByText('Sales 2025 is restored.')).toBeTruthy();
  expect(service.callsOf('deletedKapsules.restore').map(({ body }) => body)).toEqual([
    {},
    { name: 'Sales 2025' },
  ]);
  expect(await screen.findByLabelText('Select Sales 2025')).toBeTruthy();
});

test.each([
  { as: adminUser, text: 'What is deleted can be restored here for 30 days.' },
  { as: plainUser, text: 'Your own deleted kapsules can be restored here for 30 days.' },
])('the empty list says to $as.role what can be restored', async ({ as, text }) => {
  const { user } = renderScreen('/data/kapsules', {
    as,
    answers: { kapsules: { list: () => [stock] }, deletedKapsules: { list: () => [] } },
  });
  await user.click(await screen.findByText('Deleted'));
  expect(await screen.findByText(text)).toBeTruthy();
});

test('a list that could not be loaded is not called empty, and can be loaded again', async () => {
  let isBroken = true;
  const { user } = renderScreen('/data/kapsules', {
    as: adminUser,
    answers: {
      kapsules: { list: () => [stock] },
      deletedKapsules: {
        list: () => (isBroken ? refuse('UNAVAILABLE', 'The database sleeps.') : [entry]),
      },
    },
  });
  await user.click(await screen.findByText('Deleted'));
  const panel = within(await screen.findByRole('alert'));
  expect(panel.getByText('The deleted kapsules could not be loaded')).toBeTruthy();
  expect(panel.getByText('The database sleeps.')).toBeTruthy();
  expect(screen.queryByText('No deleted kapsules')).toBeNull();
  isBroken = false;
  await user.click(panel.getByText('Retry'));
  expect(await screen.findByLabelText('Restore Sales')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

test.each([
  {
    when: 'another tab was first',
    answer: () => refuse('NOT_FOUND', 'There is no such kapsule.'),
    text: 'Sales is no longer among the deleted kapsules.',
  },
  { when: 'it is restored', answer: () => sampleKapsule({ name: 'Sales' }), text: 'Sales is restored.' },
])('a row that leaves the list tells the result of its restore when $when', async ({ answer, text }) => {
  let present = [entry];
  // The list of kapsules arrives last, after the row has left.
  let isSlow = false;
  const later = () => new Promise<void>((resolve) => setTimeout(resolve, 100));
  const { user } = renderScreen('/data/kapsules', {
    as: adminUser,
    answers: {
      kapsules: {
        list: async () => {
          if (isSlow) await later();
          return [stock];
        },
      },
      deletedKapsules: {
        list: () => present,
        restore: () => {
          present = [];
          isSlow = true;
          return answer();
        },
      },
    },
  });
  await user.click(await screen.findByText('Deleted'));
  await user.click(await screen.findByLabelText('Restore Sales'));
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.queryByLabelText('Restore Sales')).toBeNull();
});

test('Enter restores under another name, once; the field keeps the focus while it is refused again', async () => {
  const names: (string | undefined)[] = [];
  let answer: ((sent: Response) => void) | undefined;
  const restore = ({ body }: { body: { name?: string | undefined } }) => {
    names.push(body.name);
    return body.name === undefined
      ? nameTaken()
      : new Promise<Response>((resolve) => {
          answer = resolve;
        });
  };
  const { user } = renderScreen('/data/kapsules', {
    as: adminUser,
    answers: {
      kapsules: { list: () => [stock] },
      deletedKapsules: { list: () => [entry], restore },
    },
  });
  await user.click(await screen.findByText('Deleted'));
  await user.click(await screen.findByLabelText('Restore Sales'));
  const field = await screen.findByLabelText('New name of Sales');
  await waitFor(() => expect(document.activeElement).toBe(field));
  enter(field, 'Stock');
  await user.keyboard('{Enter}{Enter}');
  await waitFor(() => expect(answer).toBeDefined());
  answer?.(nameTaken());
  const button = screen.getByText('Restore under this name').closest('button');
  await waitFor(() => expect(button?.className).not.toContain('loading'));
  expect(names).toEqual([undefined, 'Stock']);
  expect(document.activeElement).toBe(field);

  // Another failure leaves the field as well: the name can be tried again.
  await user.keyboard('{Enter}');
  await waitFor(() => expect(names).toHaveLength(3));
  answer?.(refuse('UNAVAILABLE', 'The database sleeps.'));
  expect(await screen.findByText('The database sleeps.')).toBeTruthy();
  expect(document.activeElement).toBe(field);
});

test('another service has no list of deleted ones, and no button', async () => {
  renderScreen('/data/kapsules', {
    as: adminUser,
    answers: { kapsules: { list: () => [sampleKapsule({ name: 'Stock' })] } },
  });
  await screen.findByText('Stock');
  await waitFor(() => expect(screen.queryByText('Deleted')).toBeNull());
});
