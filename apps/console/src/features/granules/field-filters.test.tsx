import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { pageOf, path, serviceWith } from './granules-fixture.ts';

test('the granule page filters and sorts by fields, keeps that in the URL, and saves it as a view', async () => {
  const saved: { name: string; query: string }[] = [];
  const views = {
    list: () => saved.map((view) => ({ _id: view.name, ...view })),
    save: ({ body }: { body: { name: string; query: string } }) => {
      saved.push(body);
      return { _id: body.name, ...body };
    },
  };
  const { user, service } = renderScreen(path, { as: plainUser, answers: serviceWith({}, { views }) });
  const asked = () =>
    service.callsOf('granules.list').map(({ url }) => Object.fromEntries(new URL(url).searchParams));
  await screen.findByRole('table', { name: 'Granules' });
  await user.click(screen.getByRole('columnheader', { name: 'Amount' }));
  await waitFor(() => expect(asked().at(-1)).toMatchObject({ sort: 'field:Amount' }));

  await user.click(screen.getByRole('button', { name: /^Filters/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Filter by fields' }));
  // A new condition has the focus; without it, the next one has, and at last the button that adds one.
  const removers = () => dialog.getAllByLabelText(/^Remove the condition/);
  await user.click(dialog.getByText('Add a condition'));
  expect(document.activeElement).toBe(dialog.getAllByLabelText('Field')[1]);
  await user.click(removers()[0] as HTMLElement);
  expect(document.activeElement).toBe(removers()[0]);
  await user.click(removers()[0] as HTMLElement);
  expect(document.activeElement?.textContent).toBe('Add a condition');
  await user.click(dialog.getByText('Add a condition'));
  await user.click(dialog.getByText('Apply'));
  expect(dialog.getByRole('alert').textContent).toBe('Comment is required!');
  enter(dialog.getByLabelText('Comment: text'), 'late');
  // Escape asks before it discards what is typed.
  await user.keyboard('{Escape}');
  await user.click(await screen.findByText('Keep editing'));
  await user.click(dialog.getByText('Apply'));
  const where = '[{"field":"Comment","is":"contains","text":"late"}]';
  await waitFor(() => expect(asked()).toContainEqual(expect.objectContaining({ where, page: '1' })));
  expect(new URLSearchParams(location.search).get('where')).toBe(where);
  expect(screen.getByRole('button', { name: 'Filters (1)' })).toBeTruthy();

  await user.click(screen.getByRole('button', { name: 'Views' }));
  const list = within(await screen.findByRole('dialog', { name: 'Saved views' }));
  await list.findByText('A view keeps search, filters and order under a name, for you alone.');
  enter(list.getByLabelText('Name of the present view'), 'Late ones');
  await user.click(list.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(Object.fromEntries(new URLSearchParams(saved[0]?.query))).toEqual({ sort: 'field:Amount', where });

  // Another search first: the view brings back its own.
  enter(screen.getByRole('searchbox', { hidden: true }), 'else');
  await waitFor(() => expect(new URLSearchParams(location.search).get('q')).toBe('else'));
  await user.click(await list.findByRole('button', { name: 'Late ones' }));
  await waitFor(() =>
    expect(Object.fromEntries(new URLSearchParams(location.search))).toEqual({ sort: 'field:Amount', where }),
  );
});

test('a filter asks before a bound moved to the other side is discarded, and not once it is closing', async () => {
  const where = encodeURIComponent('[{"field":"Amount","is":"between","from":5}]');
  const { user } = renderScreen(`${path}?where=${where}`, { as: plainUser, answers: serviceWith({}) });
  await user.click(await screen.findByRole('button', { name: 'Filters (1)' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Filter by fields' }));
  enter(dialog.getByLabelText('Amount: from'), '');
  enter(dialog.getByLabelText('Amount: to'), '5');
  const cancel = dialog.getByText('Cancel');
  await user.click(cancel);
  await user.click(await screen.findByText('Keep editing'));
  await waitFor(() => expect(screen.queryByText('Keep editing')).toBeNull());
  enter(dialog.getByLabelText('Amount: to'), '');
  enter(dialog.getByLabelText('Amount: from'), '5');
  fireEvent.click(cancel);
  fireEvent.click(cancel);
  expect(screen.queryByText('Keep editing')).toBeNull();
});

test('a page whose scan has found nothing in its time says that it goes on', async () => {
  const list = () => pageOf({ data: [], total: 0, totalIsExact: false, isPartial: true });
  const where = encodeURIComponent('[{"field":"Amount","is":"between","from":5}]');
  const answers = serviceWith({ list, countMatching: () => new Promise(() => undefined) });
  renderScreen(`${path}?where=${where}`, { as: plainUser, answers });
  expect(await screen.findByText('No granule found so far')).toBeTruthy();
  expect(screen.getByText(/^no granules so far, counting …/).textContent).toContain('an index is being made');
});
