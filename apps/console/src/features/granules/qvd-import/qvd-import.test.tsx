import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { refuse } from '../../../testing/fake-service.ts';
import { FakeUpload } from '../../../testing/fake-upload.ts';
import { plainUser, renderScreen } from '../../../testing/render-screen.tsx';
import { pageOf, path } from '../granules-fixture.ts';
import { afterCheck, colours, good, type ImportQvd, sample, sampleBytes } from './colours-fixture.ts';

const startButton = () => screen.getByText('Start Upload').closest('button');
const field = () => screen.findByLabelText(/\.qvd files/);

async function open(importQvd: ImportQvd) {
  const view = renderScreen(path, {
    as: plainUser,
    answers: {
      kapsules: { get: () => colours },
      granules: { list: () => pageOf(), importQvd: afterCheck(importQvd) },
    },
  });
  await view.user.click(await screen.findByText('Import'));
  await field();
  return view;
}

beforeEach(() => vi.stubGlobal('XMLHttpRequest', FakeUpload));

test('takes only .qvd files, warns against company data, and shows what is in a file before anything is sent', async () => {
  const { user, service } = await open(() => ({ rows: 0 }));
  expect(startButton()?.disabled).toBe(true);
  expect(screen.getByText('Please do not upload company data.')).toBeTruthy();
  const steps = document.querySelectorAll('[role="dialog"] .ant-steps-item-title');
  expect(Array.from(steps, ({ textContent }) => textContent)).toEqual([
    'File selection',
    'Uploading',
    'Results',
  ]);
  const input = await field();
  expect(input.getAttribute('accept')).toBe('.qvd');
  input.removeAttribute('accept');
  await user.upload(input, new File(['x'], 'notes.csv'));
  expect(await screen.findByText('Only .qvd files are accepted: notes.csv')).toBeTruthy();
  expect(startButton()?.disabled).toBe(true);

  // The authors named in this file are ignored: the user is no ADMIN.
  const content = (await sampleBytes('ctrl-q-qvd-viewer__colors.qvd')).toString('latin1');
  const forged = content.replace('<FieldName>name<', '<FieldName>CreatedBy<');
  expect(forged).not.toBe(content);
  await user.upload(await field(), new File([Buffer.from(forged, 'latin1')], 'a.qvd'));
  await screen.findByText('Matched columns');
  const facts = () => Array.from(document.querySelectorAll('dl dd'), ({ textContent }) => textContent);
  expect(facts().slice(-4)).toEqual(['colors', '135', 'id, rgb', 'CreatedBy, is_trans']);
  const rows = within(screen.getByRole('region', { name: 'First rows' })).getAllByRole('row');
  expect(rows).toHaveLength(6);
  expect(rows[1]?.textContent).toBe('-10033B2');
  await user.click(screen.getByLabelText('Leave out a.qvd'));

  const strange = await sample('packt-adv__ch15_AsOfCalendar.qvd');
  await user.upload(await field(), [strange, await sample('qvd4js__damaged.qvd')]);
  expect(await screen.findByText('There is no column id, which is the key.')).toBeTruthy();
  expect((await screen.findByText(/^Not a QVD file/)).getAttribute('role')).toBe('alert');
  // The service would refuse either of them, and any other file with it.
  expect(startButton()?.disabled).toBe(true);
  await user.click(screen.getByLabelText('Leave out packt-adv__ch15_AsOfCalendar.qvd'));
  expect(startButton()?.disabled).toBe(true);
  await user.upload(await field(), await good('b.qvd'));
  await screen.findByText('Matched columns');
  expect(startButton()?.disabled).toBe(true);
  await user.click(screen.getByLabelText('Leave out qvd4js__damaged.qvd'));
  expect(startButton()?.disabled).toBe(false);
  expect(service.callsOf('granules.importQvd')).toEqual([]);
});

test('leaves a file without a preview to the service, shows the progress of each file, can be cancelled, and says why an import failed or how many rows matched, to the letter', async () => {
  const answers: ImportQvd[] = [
    () => new Promise(() => undefined),
    () => refuse('BAD_INPUT', 'a.qvd: there is no column for the key field id.'),
    () => ({ rows: 1234, files: [{ file: 'a.qvd', rows: 1234, matched: ['id'], ignored: ['x'] }] }),
  ];
  const { user, service } = await open((input) => answers.shift()?.(input) ?? { rows: 0 });
  const large = await good('large.qvd');
  Object.defineProperty(large, 'size', { value: 65 * 1024 * 1024 });
  await user.upload(await field(), large);
  expect(await screen.findByText('No preview: The file is too large to look into it here.')).toBeTruthy();
  expect(startButton()?.disabled).toBe(false);
  await user.click(screen.getByLabelText('Leave out large.qvd'));

  await user.upload(await field(), [await good('a.qvd'), await good('b.qvd')]);
  await user.click(screen.getByText('Start Upload'));
  const bars = within(await screen.findByRole('list', { name: 'Upload' })).getAllByRole('progressbar');
  await waitFor(() => expect(bars.map((bar) => bar.getAttribute('aria-valuenow'))).toEqual(['100', '0']));
  await user.click(screen.getByText('Cancel the upload'));
  expect(await screen.findByText('Start Upload')).toBeTruthy();
  expect(screen.queryByText('Import Failed')).toBeNull();

  await user.click(screen.getByText('Start Upload'));
  expect(await screen.findByText('Import Failed')).toBeTruthy();
  expect(screen.getByText('The content you submitted has the following error:')).toBeTruthy();
  expect(screen.getByText('a.qvd: there is no column for the key field id.')).toBeTruthy();
  await user.click(screen.getByText('Back to the files'));
  await waitFor(() => expect(startButton()?.disabled).toBe(false));

  const listed = service.callsOf('granules.list').length;
  await user.click(screen.getByText('Start Upload'));
  expect(await screen.findByText('Import Successed')).toBeTruthy();
  expect(screen.getByText('Total matched 1234 rows of data.')).toBeTruthy();
  expect(screen.getByText('a.qvd: 1,234 rows by id; ignored: x')).toBeTruthy();
  const call = service.callsOf('granules.importQvd').at(-1);
  const form = call?.body as FormData;
  expect(form.getAll('files[]')).toHaveLength(2);
  expect(call?.authorization).toBe('Bearer token-1');
  expect(call?.url).toMatch(/\?kapsuleId=k1$/);
  // The rows behind the dialog are fetched again.
  await waitFor(() => expect(service.callsOf('granules.list').length).toBeGreaterThan(listed));
});
