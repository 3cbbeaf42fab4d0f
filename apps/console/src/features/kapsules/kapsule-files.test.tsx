import type { Kapsule } from '@kaptain/contract/kapsules';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { adminUser, plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { sampleKapsule } from '../../testing/sample-kapsule.ts';
import { visitedLinks } from '../../testing/visited-links.ts';

const both: Kapsule['authority'] = ['READ', 'DELETE'];
const sales = sampleKapsule({
  name: 'Sales',
  authority: both,
  fields: [
    { name: 'Comment', type: 'text' },
    { name: 'Amount', type: 'text' },
    { name: 'Old', type: 'date' },
  ],
});
const list = () => [
  sales,
  sampleKapsule({ name: 'Made', authority: both, database: 'mssql', tableMadeByService: true }),
  sampleKapsule({ name: 'Foreign', authority: both, database: 'mssql', tableMadeByService: false }),
  sampleKapsule({ name: 'Readable' }),
];
const open = (as = plainUser, kapsules: Answers['kapsules'] = {}, others: Answers = {}) =>
  renderScreen('/data/kapsules', { as, answers: { kapsules: { list, ...kapsules }, ...others } });
const kap = (name: string, content: unknown = {}) => new File([JSON.stringify(content)], name);
const structure = {
  format: 'kap',
  version: 1,
  kapsule: {
    name: 'Other',
    keyField: 'OrderID',
    fields: [
      { name: 'Comment', type: 'text' },
      { name: 'Amount', type: 'number' },
      { name: 'New', type: 'boolean' },
    ],
  },
};
const field = () => screen.findByLabelText(/\.kap file/);
const gone = (title: string) => waitFor(() => expect(screen.queryByText(title)).toBeNull());

describe('Add', () => {
  const title = 'Add kapsules';
  const button = () => screen.getByText('Start Upload', { selector: 'button span' }).closest('button');

  test('takes only .kap files, tells what became of one file in a message, and of many in one line per file', async () => {
    const answers = [
      () => refuse('TOO_LARGE', 'The file is too large.'),
      () => Response.json(['a.kap: done']),
      () =>
        Response.json([
          { file: 'a.kap', status: 'success', message: 'ok', kapsuleId: 'new-1' },
          { file: 'b.kap', status: 'failed', message: 'This is not a .kap file.' },
        ]),
    ];
    const { user, service } = open(adminUser, {
      importMany: () => answers.shift()?.() ?? new Response(null, { status: 500 }),
    });
    await user.click(await screen.findByText('Add'));
    const input = await field();
    expect(button()?.disabled).toBe(true);
    expect(input.getAttribute('accept')).toBe('.kap');
    input.removeAttribute('accept');
    await user.upload(input, [new File(['x'], 'notes.txt'), kap('a.kap')]);
    expect(await screen.findByText('Only .kap files are accepted: notes.txt')).toBeTruthy();
    await user.click(await screen.findByLabelText('Leave out a.kap'));
    expect(button()?.disabled).toBe(true);

    await user.upload(await field(), kap('a.kap'));
    await user.click(await screen.findByText('Start Upload'));
    expect(await screen.findByText('a.kap import failed, log: The file is too large.')).toBeTruthy();
    expect(screen.getByText(title)).toBeTruthy();
    const form = service.callsOf('kapsules.importMany')[0]?.body as FormData;
    expect(form.getAll('files')).toHaveLength(1);

    await waitFor(() => expect(button()?.className).not.toContain('loading'));
    const loaded = service.callsOf('kapsules.list').length;
    await user.click(screen.getByText('Start Upload'));
    expect(await screen.findByText('a.kap: done')).toBeTruthy();
    await gone(title);
    await waitFor(() => expect(service.callsOf('kapsules.list').length).toBeGreaterThan(loaded));

    await user.click(await screen.findByText('Add'));
    await user.upload(await field(), [kap('a.kap'), kap('b.kap')]);
    await user.click(screen.getByText('Start Upload'));
    const results = within(await screen.findByRole('list', { name: 'Import results' }));
    expect(results.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'a.kap import successfully Open',
      'b.kap import failed, log: This is not a .kap file.',
    ]);
  });
});

describe('Export', () => {
  const visited = visitedLinks();

  test('asks first, goes to an address with a ticket, and says why a ticket is refused', async () => {
    const title = 'Are you sure to export Sales?';
    const path = '/api/kapsule/export/kapsule?kapsuleId=id-Sales';
    let isRefused = true;
    const ticket = () =>
      isRefused ? refuse('TOO_MANY_REQUESTS', 'Too many downloads at once.') : { url: `${path}&ticket=t` };
    const { user, service } = open({ ...plainUser, isCreate: false }, {}, { downloads: { ticket } });
    await user.click(await screen.findByLabelText('Export Sales'));
    await screen.findByRole('dialog', { name: title });
    expect(service.callsOf('downloads.ticket')).toEqual([]);
    await user.click(screen.getByText('Yes'));
    expect(await screen.findByText('Too many downloads at once.')).toBeTruthy();
    expect(visited).toEqual([]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

    isRefused = false;
    await user.click(screen.getByLabelText('Export Sales'));
    await user.click(await screen.findByText('Yes'));
    await waitFor(() => expect(visited).toEqual([`${path}&ticket=t`]));
    // This USER may not create kapsules.
    expect(screen.queryByText('Add')).toBeNull();
  });
});

describe('Export of a kapsule with rules', () => {
  const visited = visitedLinks();

  test('can leave out what earlier versions do not know', async () => {
    const fields = [{ name: 'Comment', type: 'text', required: true }];
    const whole = { ...sampleKapsule({ name: 'Sales' }), fields };
    const { user } = open(plainUser, {
      list: () => [{ ...whole, fields: [], fieldCount: 1 }],
      get: () => whole,
    });
    await user.click(await screen.findByLabelText('Export Sales'));
    await user.click(await screen.findByLabelText(/^For earlier versions/));
    await user.click(screen.getByText('Yes'));
    await waitFor(() =>
      expect(visited).toEqual(['/api/kapsule/export/kapsule?kapsuleId=id-Sales&earlier=true']),
    );
  });
});

test('Replace shows the difference before anything is sent, and leaves a file it can’t read to the service', async () => {
  let isRefused = true;
  const importOne = () =>
    isRefused ? refuse('BAD_INPUT', 'This is not a .kap file.') : { status: 'success' };
  const { user, service } = open(plainUser, { importOne });
  await user.click(await screen.findByLabelText('Replace Sales from .kap'));
  const dialog = within(await screen.findByRole('dialog', { name: /structure of Sales/ }));
  const replace = dialog.getByRole<HTMLButtonElement>('button', { name: 'Replace' });
  expect(dialog.getByText('Only the structure changes. No data is altered.')).toBeTruthy();
  expect(replace.disabled).toBe(true);

  await user.upload(await field(), new File(['no json'], 'x.kap'));
  expect(await screen.findByText(/difference can’t be shown: This is not a .kap file./)).toBeTruthy();
  await user.click(replace);
  expect(await screen.findByText('x.kap import failed, log: This is not a .kap file.')).toBeTruthy();

  isRefused = false;
  await user.click(await screen.findByLabelText('Leave out x.kap'));
  await user.upload(await field(), kap('next.kap', structure));
  const table = await dialog.findByRole<HTMLTableElement>('table');
  expect(
    Array.from(table.tBodies[0]?.rows ?? [], ({ cells }) =>
      Array.from(cells, ({ textContent }) => textContent),
    ),
  ).toEqual([
    ['Amount', 'Retyped', 'text', 'number'],
    ['New', 'Added', '–', 'boolean'],
    ['Old', 'Removed', 'date', '–'],
  ]);
  expect(service.callsOf('kapsules.importOne')).toHaveLength(1);
  await user.click(replace);
  expect(await screen.findByText('next.kap import successfully')).toBeTruthy();
  expect(service.callsOf('kapsules.importOne')[1]?.url).toMatch(/\/import\/kapsule\/id-Sales$/);

  // For a USER it is offered with DELETE, on tables that the service made.
  const offered = screen.getAllByLabelText(/^Replace .* from/).map(({ ariaLabel }) => ariaLabel);
  expect(offered).toEqual(['Replace Made from .kap', 'Replace Sales from .kap']);
});
