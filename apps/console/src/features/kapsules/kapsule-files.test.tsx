import type { Kapsule } from '@kaptain/contract/kapsules';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refuse } from '../../testing/fake-service.ts';
import { adminUser, plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { sampleKapsule } from '../../testing/sample-kapsule.ts';

const sales = sampleKapsule({
  name: 'Sales',
  authority: ['READ', 'DELETE'],
  fields: [
    { name: 'Comment', type: 'text' },
    { name: 'Amount', type: 'text' },
    { name: 'Old', type: 'date' },
  ],
});
const answers = { kapsules: { list: () => [sales] } };
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
const button = (name: string) => screen.findByRole('button', { name });
const field = () => screen.findByLabelText(/\.kap file/);

/** Where the page would have gone: jsdom goes nowhere. */
const visited: string[] = [];
const note = (event: MouseEvent) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link) visited.push(link.href.replace(location.origin, ''));
  if (link) event.preventDefault();
};
beforeEach(() => {
  visited.length = 0;
  document.addEventListener('click', note);
});
afterEach(() => document.removeEventListener('click', note));

describe('Add', () => {
  test.each([
    ['an ADMIN', adminUser, true],
    ['a USER who may create', { ...plainUser, isCreate: true }, true],
    ['a USER of a service that does not say', plainUser, true],
    ['a USER who may not create', { ...plainUser, isCreate: false }, false],
  ])('is there or not for %s', async (_, as, isThere) => {
    renderScreen('/data/kapsules', { as, answers });
    await screen.findByRole('table');
    expect(screen.queryByRole('button', { name: 'Add' }) !== null).toBe(isThere);
  });

  test('takes only .kap files and starts with none', async () => {
    const { user } = renderScreen('/data/kapsules', { as: adminUser, answers });
    await user.click(await button('Add'));
    expect((await button('Import')).matches(':disabled')).toBe(true);
    const input = await field();
    expect(input.getAttribute('accept')).toBe('.kap');
    input.removeAttribute('accept');
    await user.upload(input, [new File(['x'], 'notes.txt'), kap('a.kap')]);
    expect(await screen.findByText('Only .kap files are accepted: notes.txt')).toBeTruthy();
    expect(screen.getByText('a.kap')).toBeTruthy();
    await user.click(await button('Leave out a.kap'));
    expect((await button('Import')).matches(':disabled')).toBe(true);
  });

  test('of one file says what became of it, to the letter', async () => {
    const importMany = () => [{ file: 'a.kap', status: 'success' as const, message: 'ok', kapsuleId: 'n' }];
    const { user, service } = renderScreen('/data/kapsules', {
      as: adminUser,
      answers: { kapsules: { ...answers.kapsules, importMany } },
    });
    await user.click(await button('Add'));
    await user.upload(await field(), kap('a.kap'));
    await user.click(await button('Import'));
    expect(await screen.findByText('a.kap import successfully')).toBeTruthy();
    const form = service.callsOf('kapsules.importMany')[0]?.body as FormData;
    expect(form.getAll('files')).toHaveLength(1);
    // The list is fetched anew.
    expect(service.callsOf('kapsules.list').length).toBeGreaterThan(1);
  });

  test('of one file that fails says the log, and keeps the dialog', async () => {
    const importMany = () => refuse('TOO_LARGE', 'The file is too large.');
    const { user } = renderScreen('/data/kapsules', {
      as: adminUser,
      answers: { kapsules: { ...answers.kapsules, importMany } },
    });
    await user.click(await button('Add'));
    await user.upload(await field(), kap('a.kap'));
    await user.click(await button('Import'));
    expect(await screen.findByText('a.kap import failed, log: The file is too large.')).toBeTruthy();
    expect(screen.getByRole('dialog', { name: 'Add kapsules' })).toBeTruthy();
  });

  test('of many files shows one line per file', async () => {
    const importMany = () => [
      { file: 'a.kap', status: 'success' as const, message: 'ok', kapsuleId: 'new-1' },
      { file: 'b.kap', status: 'failed' as const, message: 'This is not a .kap file.' },
    ];
    const { user } = renderScreen('/data/kapsules', {
      as: adminUser,
      answers: { kapsules: { ...answers.kapsules, importMany } },
    });
    await user.click(await button('Add'));
    await user.upload(await field(), [kap('a.kap'), kap('b.kap')]);
    await user.click(await button('Import'));
    const lines = within(await screen.findByRole('list', { name: 'Import results' })).getAllByRole(
      'listitem',
    );
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      'a.kap import successfully Open',
      'b.kap import failed, log: This is not a .kap file.',
    ]);
  });
});

describe('a result of another service', () => {
  const spec = ['a.kap import successfully', 'b.kap import failed, log: no'];
  test.each([
    ['a list of lines', Response.json(spec)],
    ['a wrapped list', Response.json({ data: spec })],
    ['one text', new Response(spec.join('\n'), { headers: { 'content-type': 'text/plain' } })],
  ])('is shown as it comes: %s', async (_, answer) => {
    const { user } = renderScreen('/data/kapsules', {
      as: adminUser,
      answers: { kapsules: { ...answers.kapsules, importMany: () => answer } },
    });
    await user.click(await button('Add'));
    await user.upload(await field(), [kap('a.kap'), kap('b.kap')]);
    await user.click(await button('Import'));
    const list = within(await screen.findByRole('list', { name: 'Import results' }));
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(spec);
  });

  test('of one file is told in a message, and the dialog closes', async () => {
    const { user } = renderScreen('/data/kapsules', {
      as: adminUser,
      answers: { kapsules: { ...answers.kapsules, importMany: () => Response.json(['a.kap: done']) } },
    });
    await user.click(await button('Add'));
    await user.upload(await field(), kap('a.kap'));
    await user.click(await button('Import'));
    expect(await screen.findByText('a.kap: done')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Add kapsules' })).toBeNull());
  });
});

describe('Export', () => {
  const ask = async (ticket: () => { url: string } | Response) => {
    const view = renderScreen('/data/kapsules', {
      as: plainUser,
      answers: { ...answers, downloads: { ticket } },
    });
    await view.user.click(await button('Export Sales'));
    await screen.findByRole('dialog', { name: 'Are you sure to export Sales?' });
    expect(view.service.callsOf('downloads.ticket')).toEqual([]);
    await view.user.click(await button('Yes'));
    return view;
  };
  const path = '/api/kapsule/export/kapsule?kapsuleId=id-Sales';

  test('goes to an address with a ticket for exactly that download', async () => {
    const { service } = await ask(() => ({ url: `${path}&ticket=t` }));
    await waitFor(() => expect(visited).toEqual([`${path}&ticket=t`]));
    expect(service.callsOf('downloads.ticket')[0]?.body).toEqual({ path });
  });

  test('goes to the plain address of a service without tickets', async () => {
    await ask(() => refuse('NOT_FOUND', 'There is nothing at this address.'));
    await waitFor(() => expect(visited).toEqual([path]));
  });

  test('goes nowhere when the ticket is refused, and says why', async () => {
    await ask(() => refuse('TOO_MANY_REQUESTS', 'Too many downloads at once.'));
    expect(await screen.findByText('Too many downloads at once.')).toBeTruthy();
    expect(visited).toEqual([]);
  });
});

describe('Replace', () => {
  const open = async (importOne: () => { status: string } | Response = () => ({ status: 'success' })) => {
    const view = renderScreen('/data/kapsules', {
      as: plainUser,
      answers: { kapsules: { ...answers.kapsules, importOne } },
    });
    await view.user.click(await button('Replace Sales from .kap'));
    return { ...view, dialog: await screen.findByRole('dialog', { name: /structure of Sales/ }) };
  };

  test.each([
    [adminUser, 'for an ADMIN on every row', ['Foreign', 'Made', 'Readable', 'Sales']],
    [plainUser, 'for a USER with DELETE, on tables that the service made', ['Made', 'Sales']],
  ])('shows $1', async (as, _, expected) => {
    const both: Kapsule['authority'] = ['READ', 'DELETE'];
    const list = () => [
      sampleKapsule({ name: 'Sales', authority: both }),
      sampleKapsule({ name: 'Made', authority: both, database: 'mssql', tableMadeByService: true }),
      sampleKapsule({ name: 'Foreign', authority: both, database: 'mssql', tableMadeByService: false }),
      sampleKapsule({ name: 'Readable' }),
    ];
    renderScreen('/data/kapsules', { as, answers: { kapsules: { list } } });
    await button('Replace Sales from .kap');
    const shown = screen.getAllByRole('button', { name: /^Replace / }).map((one) => one.ariaLabel);
    expect(shown).toEqual(expected.map((name) => `Replace ${name} from .kap`));
  });

  test('warns that only the structure changes, and needs a file', async () => {
    const { dialog } = await open();
    expect(within(dialog).getByText('Only the structure changes. No data is altered.')).toBeTruthy();
    expect(within(dialog).getByRole('button', { name: 'Replace' }).matches(':disabled')).toBe(true);
  });

  test('shows the difference before anything is sent', async () => {
    const { user, dialog, service } = await open();
    await user.upload(await field(), kap('next.kap', structure));
    const rows = within(await within(dialog).findByRole('table'))
      .getAllByRole('row')
      .slice(1);
    expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
      ['Amount', 'Retyped', 'text', 'number'],
      ['New', 'Added', '–', 'boolean'],
      ['Old', 'Removed', 'date', '–'],
    ]);
    expect(service.callsOf('kapsules.importOne')).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Replace' }));
    expect(await screen.findByText('next.kap import successfully')).toBeTruthy();
    expect(service.callsOf('kapsules.importOne')[0]?.url).toMatch(/\/import\/kapsule\/id-Sales$/);
  });

  test('leaves a file it can’t read to the service, and says what that says', async () => {
    const { user, dialog } = await open(() => refuse('BAD_INPUT', 'This is not a .kap file.'));
    await user.upload(await field(), new File(['no json'], 'x.kap'));
    expect(await screen.findByText(/difference can’t be shown: This is not a .kap file./)).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Replace' }));
    expect(await screen.findByText('x.kap import failed, log: This is not a .kap file.')).toBeTruthy();
  });
});
