import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { refuse } from '../../testing/fake-service.ts';
import { plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { sampleKapsule } from '../../testing/sample-kapsule.ts';

const mssql = sampleKapsule({ name: 'Budget', database: 'mssql' });
const submit = () =>
  screen.getByText('Create', { selector: 'button[type="submit"] *' }).closest('button') as HTMLButtonElement;

test('a kapsule is created with its fields in a database that the user knows, and then shown', async () => {
  const { user, service } = renderScreen('/data/kapsules', {
    as: { ...plainUser, isCreate: true },
    answers: {
      kapsules: {
        list: () => [mssql],
        get: () => sampleKapsule({ _id: 'new', name: 'Targets' }),
        overview: () => ({ appId: null, schedule: null, lastReload: null, groups: [] }),
      },
      dataApi: { createKapsule: () => sampleKapsule({ _id: 'new', name: 'Targets' }) },
    },
  });
  await user.click(await screen.findByText('Create'));
  const form = within(await screen.findByRole('dialog'));
  const name = form.getByLabelText('Name');
  await waitFor(() => expect(document.activeElement).toBe(name));
  await user.click(submit());
  expect(await screen.findByText('Name is required!')).toBeTruthy();
  expect(screen.getByText('Field name is required!')).toBeTruthy();
  enter(name, 'Targets');
  enter(form.getByLabelText('Key field'), 'OrderID');
  enter(screen.getByLabelText('Name of field 1'), 'Note');
  await user.click(form.getByLabelText('Database'));
  await user.click(await screen.findByTitle('mssql'));
  await user.type(await screen.findByLabelText('Table on mssql'), 'notes{Enter}');
  expect(await screen.findByText('Targets is created.')).toBeTruthy();
  expect(service.callsOf('dataApi.createKapsule')[0]?.body).toEqual({
    name: 'Targets',
    table: '',
    keyField: 'OrderID',
    database: 'mssql',
    tableName: 'notes',
    fields: [{ name: 'Note', type: 'text' }],
  });
  expect(await screen.findByRole('heading', { name: 'Targets' })).toBeTruthy();
  expect(location.pathname).toBe('/data/kapsules/new');
  expect(await screen.findByText('No schedule')).toBeTruthy();
});

test.each(['Create', 'Add'])(
  '%s is no longer offered after the right is taken away, also after a reload',
  async (way) => {
    const lost = () => refuse('FORBIDDEN', 'You may not create new ones.', { right: 'isCreate' });
    const answers = {
      kapsules: { list: () => [mssql], importMany: lost },
      dataApi: { createKapsule: lost },
      account: { sessions: () => [] },
    };
    const { user, unmount } = renderScreen('/data/kapsules', {
      as: { ...plainUser, isCreate: true },
      answers,
    });
    await user.click(await screen.findByText(way, { selector: 'main button *' }));
    if (way === 'Add') {
      await user.upload(await screen.findByLabelText(/\.kap file/), new File(['{}'], 'a.kap'));
      await user.click(screen.getByText('Start Upload', { selector: 'button span' }));
    } else {
      const form = within(await screen.findByRole('dialog'));
      enter(form.getByLabelText('Name'), 'Targets');
      enter(form.getByLabelText('Key field'), 'OrderID');
      enter(screen.getByLabelText('Name of field 1'), 'Note');
      await user.click(submit());
    }
    expect(await screen.findByText(/You may not create new ones\./)).toBeTruthy();
    // What was entered stays in the dialog.
    expect(screen.getByRole('dialog')).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('Add', { selector: 'main button *' })).toBeNull());
    unmount();
    renderScreen('/account', { answers });
    expect((await screen.findByText('Can Create Kapsule')).nextSibling?.textContent).toBe('No');
  },
);

test('a table of another program is no reason to stop offering Create', async () => {
  const { user } = renderScreen('/data/kapsules', {
    as: { ...plainUser, isCreate: true },
    answers: {
      kapsules: { list: () => [mssql], importMany: () => refuse('FORBIDDEN', 'Not made by this service.') },
    },
  });
  await user.click(await screen.findByText('Add'));
  await user.upload(await screen.findByLabelText(/\.kap file/), new File(['{}'], 'a.kap'));
  await user.click(screen.getByText('Start Upload', { selector: 'button span' }));
  expect(await screen.findByText(/Not made by this service\./)).toBeTruthy();
  expect(screen.getByText('Create')).toBeTruthy();
});

test('creating is not offered to a USER who may not', async () => {
  renderScreen('/data/kapsules', {
    as: { ...plainUser, isCreate: false },
    answers: { kapsules: { list: () => [mssql] } },
  });
  await screen.findByText('Budget');
  expect(screen.queryByText('Create')).toBeNull();
});
