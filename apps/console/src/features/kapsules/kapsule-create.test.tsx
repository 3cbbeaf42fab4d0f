import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { refuse } from '../../testing/fake-service.ts';
import { FakeUpload } from '../../testing/fake-upload.ts';
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

const lost = () => refuse('FORBIDDEN', 'You may not create new ones.', { right: 'isCreate' });
const offered = () =>
  ['Create', 'Add'].filter((text) => screen.queryByText(text, { selector: 'main button *' }));

test('neither Create nor Add is offered after Create finds the right taken away', async () => {
  const { user } = renderScreen('/data/kapsules', {
    as: { ...plainUser, isCreate: true },
    answers: { kapsules: { list: () => [mssql] }, dataApi: { createKapsule: lost } },
  });
  await user.click(await screen.findByText('Create'));
  const form = within(await screen.findByRole('dialog'));
  enter(form.getByLabelText('Name'), 'Targets');
  enter(form.getByLabelText('Key field'), 'OrderID');
  enter(screen.getByLabelText('Name of field 1'), 'Note');
  await user.click(submit());
  expect(await screen.findByText(/You may not create new ones\./)).toBeTruthy();
  // The entered values stay in the dialog.
  expect(screen.getByRole('dialog')).toBeTruthy();
  await waitFor(() => expect(offered()).toEqual([]));
});

test('a table of another program is no reason to stop offering Create and Add, the right taken away is, also after a reload', async () => {
  let importMany = () => refuse('FORBIDDEN', 'Not made by this service.');
  const answers = { kapsules: { list: () => [mssql], importMany: () => importMany() } };
  const { user, unmount } = renderScreen('/data/kapsules', {
    as: { ...plainUser, isCreate: true },
    answers,
  });
  await user.click(await screen.findByText('Add'));
  await user.upload(await screen.findByLabelText(/\.kap file/), new File(['{}'], 'a.kap'));
  const start = screen.getByText('Start Upload', { selector: 'button span' });
  await user.click(start);
  expect(await screen.findByText(/Not made by this service\./)).toBeTruthy();
  expect(offered()).toEqual(['Create', 'Add']);
  await waitFor(() => expect(start.closest('button')?.className).not.toContain('loading'));

  importMany = lost;
  await user.click(start);
  expect(await screen.findByText(/You may not create new ones\./)).toBeTruthy();
  expect(screen.getByRole('dialog')).toBeTruthy();
  await waitFor(() => expect(offered()).toEqual([]));
  unmount();
  renderScreen('/data/kapsules', { answers });
  expect(await screen.findByText('Budget')).toBeTruthy();
  expect(offered()).toEqual([]);
});

test('a copy is created with the rules of the kapsule under a free name, and is offered to who may create', async () => {
  const rules = { label: 'Remark', max: 20, required: true };
  const plan = sampleKapsule({ name: 'Plan', fields: [{ _id: 'f1', name: 'Note', type: 'text', ...rules }] });
  const { user, service, unmount } = renderScreen('/data/kapsules', {
    as: { ...plainUser, isCreate: true },
    answers: {
      kapsules: {
        list: () => [{ ...plan, fields: [], fieldCount: 1 }, sampleKapsule({ name: 'Plan (copy)' })],
        get: ({ params: { id } }) => (id === plan._id ? plan : sampleKapsule({ _id: 'new', name: 'Made' })),
      },
      dataApi: { createKapsule: () => sampleKapsule({ _id: 'new', name: 'Made' }) },
    },
  });
  await user.click(await screen.findByLabelText('Copy Plan'));
  const form = within(await screen.findByRole('dialog', { name: 'Copy Plan' }));
  expect(form.getByLabelText<HTMLInputElement>('Name').value).toBe('Plan (copy 2)');
  await user.click(submit());
  expect(await screen.findByText('Made is created.')).toBeTruthy();
  expect(service.callsOf('dataApi.createKapsule')[0]?.body).toEqual({
    name: 'Plan (copy 2)',
    table: '',
    keyField: 'OrderID',
    database: 'kaptaindb',
    fields: [{ name: 'Note', type: 'text', ...rules }],
  });
  await waitFor(() => expect(location.pathname).toBe('/data/kapsules/new'));
  expect(await screen.findByLabelText('Copy Made')).toBeTruthy();
  unmount();

  renderScreen('/data/kapsules', {
    as: { ...plainUser, isCreate: false },
    answers: { kapsules: { list: () => [plan] } },
  });
  await screen.findByText('Plan');
  expect(screen.queryByLabelText('Copy Plan')).toBeNull();
});

test('a structure is proposed for a QVD file with its first rows; what the person changes is created, and the file offered to the import', async () => {
  vi.stubGlobal('XMLHttpRequest', FakeUpload);
  const made = sampleKapsule({ _id: 'new', name: 'Orders', authority: ['READ', 'DELETE'] });
  const proposal = {
    name: 'Orders',
    table: 'T',
    keyField: 'id',
    columns: [
      { name: 'id', type: 'text' as const, isKey: true },
      { name: 'Ref', type: 'number' as const, isKey: true },
      { name: 'Note', type: 'text' as const, isKey: false },
    ],
    leftOut: { count: 1, first: ['ID'] },
    rows: 1234,
    firstRows: [['A-1', '7', 'urgent']],
  };
  const answers = [() => refuse('BAD_INPUT', 'Orders.qvd: Not a QVD file.'), () => proposal];
  const { user, service } = renderScreen('/data/kapsules', {
    as: { ...plainUser, isCreate: true },
    answers: {
      kapsules: { list: () => [mssql], get: () => made },
      proposals: { fromQvd: () => answers.shift()?.() ?? proposal },
      dataApi: { createKapsule: () => made },
    },
  });
  await user.click(await screen.findByText('Create'));
  const form = within(await screen.findByRole('dialog'));
  await user.click(form.getByText('From a QVD file'));
  expect(form.queryByLabelText('Name')).toBeNull();
  expect(submit().disabled).toBe(true);
  const file = new File(['x'], 'Orders.qvd');
  await user.upload(form.getByLabelText(/\.qvd file/), file);
  expect(await form.findByText('Orders.qvd: Not a QVD file.')).toBeTruthy();
  await user.upload(form.getByLabelText(/\.qvd file/), file);
  expect(await form.findByText(/^1,234 rows\./)).toBeTruthy();
  expect(form.getByRole('region', { name: 'First rows' }).textContent).toContain('A-17urgent');
  expect(form.getByText('1 column can’t be fields: ID.')).toBeTruthy();
  expect(form.getByLabelText<HTMLInputElement>('Name').value).toBe('Orders');

  await user.click(form.getByLabelText('Key field'));
  await user.click(await screen.findByTitle('Ref – different in each row'));
  const fieldName = (index: number) => form.getByLabelText<HTMLInputElement>(`Name of field ${index}`);
  expect([fieldName(1).value, fieldName(2).value]).toEqual(['id', 'Note']);
  enter(fieldName(2), 'Remark');
  expect(await form.findByText('Not in the file: Remark.')).toBeTruthy();
  await user.click(submit());
  expect(await screen.findByText('Orders is created.')).toBeTruthy();
  expect(service.callsOf('dataApi.createKapsule')[0]?.body).toEqual({
    name: 'Orders',
    table: 'T',
    keyField: 'Ref',
    database: 'kaptaindb',
    fields: [
      { name: 'id', type: 'text' },
      { name: 'Remark', type: 'text' },
    ],
  });
  // The ordinary import, with the file; nothing is sent before the person says so.
  expect(await screen.findByRole('dialog', { name: 'Import granules into Orders' })).toBeTruthy();
  expect(screen.getByRole('listitem', { name: 'Orders.qvd' })).toBeTruthy();
  expect(service.callsOf('granules.importQvd')).toEqual([]);
});
