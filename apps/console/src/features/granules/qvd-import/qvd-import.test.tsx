import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Answers, refuse } from '../../../testing/fake-service.ts';
import { FakeUpload } from '../../../testing/fake-upload.ts';
import { plainUser, renderScreen } from '../../../testing/render-screen.tsx';
import { kapsule, pageOf, path } from '../granules-fixture.ts';

const samples = join(import.meta.dirname, '../../../../../../packages/qvd/samples');
const sample = async (name: string) => new File([await readFile(join(samples, name))], name);
const colours = {
  ...kapsule,
  keyField: 'id',
  fields: [
    { name: 'name', type: 'text' },
    { name: 'RGB', type: 'text' },
  ],
};
const button = (name: string) => screen.findByRole('button', { name });
const field = () => screen.findByLabelText(/\.qvd files/);

type ImportQvd = NonNullable<NonNullable<Answers['granules']>['importQvd']>;
async function open(importQvd: ImportQvd, structure = colours) {
  const view = renderScreen(path, {
    as: plainUser,
    answers: { kapsules: { get: () => structure }, granules: { list: () => pageOf(), importQvd } },
  });
  await view.user.click(await button('Import'));
  await field();
  return view;
}

beforeEach(() => vi.stubGlobal('XMLHttpRequest', FakeUpload));

test('starts with no file, warns against company data, and takes only .qvd', async () => {
  const { user } = await open(() => ({ rows: 0 }));
  expect((await button('Start Upload')).matches(':disabled')).toBe(true);
  expect(screen.getByText(/company data/)).toBeTruthy();
  const input = await field();
  expect(input.getAttribute('accept')).toBe('.qvd');
  input.removeAttribute('accept');
  await user.upload(input, new File(['x'], 'notes.csv'));
  expect(await screen.findByText('Only .qvd files are accepted: notes.csv')).toBeTruthy();
  expect((await button('Start Upload')).matches(':disabled')).toBe(true);
});

test('shows what is in a file before anything is sent', async () => {
  const { user, service } = await open(() => ({ rows: 0 }));
  await user.upload(await field(), await sample('ctrl-q-qvd-viewer__colors.qvd'));
  await screen.findByText('Matched columns');
  const facts = [...document.querySelectorAll('dl dd')].map(({ textContent }) => textContent);
  expect(facts.slice(-4)).toEqual(['colors', '135', 'id, name, rgb', 'is_trans']);
  const rows = within(screen.getByRole('region', { name: 'First rows' })).getAllByRole('row');
  expect(rows[1]?.textContent).toBe('-1Unknown0033B2');
  expect(rows).toHaveLength(6);
  expect(service.callsOf('granules.importQvd')).toEqual([]);
});

test('does not offer the import to a reader; a service that tells no authority decides itself', async () => {
  for (const [authority, expected] of [
    [['READ'], 0],
    [[], 1],
  ] as const) {
    const { unmount } = renderScreen(path, {
      as: plainUser,
      answers: {
        kapsules: { get: () => ({ ...colours, authority: [...authority] }) },
        granules: { list: () => pageOf() },
      },
    });
    await screen.findByRole('button', { name: 'Delete Selection' });
    expect(screen.queryAllByRole('button', { name: 'Import' })).toHaveLength(expected);
    unmount();
  }
});

test('tells a USER that authors named in a file are ignored', async () => {
  const { user } = await open(() => ({ rows: 0 }), { ...colours, fields: [{ name: 'rgb', type: 'text' }] });
  const content = await readFile(join(samples, 'ctrl-q-qvd-viewer__colors.qvd'), 'latin1');
  const forged = content.replace('<FieldName>name<', '<FieldName>CreatedBy<');
  expect(forged).not.toBe(content);
  await user.upload(await field(), new File([Buffer.from(forged, 'latin1')], 'a.qvd'));
  await screen.findByText('Ignored columns');
  const facts = [...document.querySelectorAll('dl dd')].map(({ textContent }) => textContent);
  expect(facts.slice(-2)).toEqual(['id, rgb', 'CreatedBy, is_trans']);
});

test('says of a file that does not fit or cannot be read what is wrong with it', async () => {
  const { user } = await open(() => ({ rows: 0 }));
  const strange = await sample('packt-adv__ch15_AsOfCalendar.qvd');
  await user.upload(await field(), [strange, await sample('qvd4js__damaged.qvd')]);
  expect(await screen.findByText('There is no column id, which is the key.')).toBeTruthy();
  expect(await screen.findByText(/^No preview: /)).toBeTruthy();
});

test('uploads all files in one call and says how many rows matched, to the letter', async () => {
  const { user, service } = await open(() => ({
    rows: 1234,
    files: [{ file: 'a.qvd', rows: 1234, matched: ['id'], ignored: ['x'] }],
  }));
  await user.upload(await field(), [new File(['a'], 'a.qvd'), new File(['b'], 'b.qvd')]);
  await user.click(await button('Start Upload'));
  expect(await screen.findByText('Import Successed')).toBeTruthy();
  expect(screen.getByText('Total matched 1234 rows of data.')).toBeTruthy();
  expect(screen.getByText('a.qvd: 1,234 rows by id; ignored: x')).toBeTruthy();
  const [call] = service.callsOf('granules.importQvd');
  const form = call?.body as FormData;
  expect(form.getAll('files[]')).toHaveLength(2);
  expect(call?.authorization).toBe('Bearer token-1');
  expect(call?.url).toMatch(/\?kapsuleId=k1$/);
  // The rows behind the dialog are fetched anew.
  await waitFor(() => expect(service.callsOf('granules.list').length).toBeGreaterThan(2));
});

test('says why an import failed, to the letter, and leads back to the files', async () => {
  const { user } = await open(() => refuse('BAD_INPUT', 'a.qvd: there is no column for the key field id.'));
  await user.upload(await field(), new File(['a'], 'a.qvd'));
  await user.click(await button('Start Upload'));
  expect(await screen.findByText('Import Failed')).toBeTruthy();
  expect(screen.getByText('The content you submitted has the following error:')).toBeTruthy();
  expect(screen.getByText('a.qvd: there is no column for the key field id.')).toBeTruthy();
  await user.click(await button('Back to the files'));
  expect((await button('Start Upload')).matches(':disabled')).toBe(false);
});

test('shows the progress of each file and can be cancelled', async () => {
  const { user } = await open(() => new Promise(() => undefined));
  await user.upload(await field(), [new File(['aaaa'], 'a.qvd'), new File(['bbbb'], 'b.qvd')]);
  await user.click(await button('Start Upload'));
  const bars = within(await screen.findByRole('list', { name: 'Upload' })).getAllByRole('progressbar');
  await waitFor(() => expect(bars.map((bar) => bar.getAttribute('aria-valuenow'))).toEqual(['100', '0']));
  await user.click(await button('Cancel the upload'));
  expect(await button('Start Upload')).toBeTruthy();
  expect(screen.queryByText('Import Failed')).toBeNull();
});
