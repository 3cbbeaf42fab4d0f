import type { QvdFileResult } from '@kaptain/contract/granules';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { FakeUpload } from '../../../testing/fake-upload.ts';
import { plainUser, renderScreen } from '../../../testing/render-screen.tsx';
import { pageOf, path, rows } from '../granules-fixture.ts';
import { colours, good, type ImportQvd } from './colours-fixture.ts';

const file: QvdFileResult = { file: 'a.qvd', rows: 135, matched: ['id', 'RGB'], ignored: [] };
const refused = {
  rows: 2,
  count: 3,
  rules: [
    { field: 'RGB', rule: 'pattern', count: 2 },
    { field: 'name', rule: 'required', count: 1 },
  ],
  first: [{ key: '7', field: 'RGB', rule: 'pattern', value: 'red', message: 'RGB must match [0-9A-F]{6}!' }],
};
const changes = (revived: number) => ({ new: 100, changed: 30, unchanged: 3, revived });

beforeEach(() => vi.stubGlobal('XMLHttpRequest', FakeUpload));

async function upload(outcome: QvdFileResult, list: 'paged' | 'plain' = 'paged') {
  const importQvd: ImportQvd = ({ query }) =>
    query?.dryRun === 'true'
      ? { rows: outcome.rows, files: [outcome] }
      : { rows: 133, files: [{ ...file, rows: 133, refused }] };
  const view = renderScreen(path, {
    as: plainUser,
    answers: {
      kapsules: { get: () => colours },
      granules: { list: () => (list === 'plain' ? rows : pageOf()), importQvd },
    },
  });
  await view.user.click(await screen.findByText('Import'));
  await view.user.upload(await screen.findByLabelText(/\.qvd files/), await good('a.qvd'));
  await view.user.click(screen.getByText('Start Upload'));
  const sent = () =>
    view.service
      .callsOf('granules.importQvd')
      .map(({ url }) => Object.fromEntries(new URL(url).searchParams));
  return { ...view, sent };
}
const checked = { kapsuleId: 'k1', dryRun: 'true' };

test('refused rows are counted by rule before anything is stored: none are taken, or the good ones', async () => {
  const { user, sent } = await upload({ ...file, refused, changes: changes(0) });
  expect(await screen.findByText('2 rows have values that do not fit.')).toBeTruthy();
  const counts = within(screen.getByRole('region', { name: 'Values that do not fit' }));
  expect(counts.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'FieldRuleValues',
    'RGBPattern2',
    'nameRequired1',
  ]);
  expect(counts.getByText('RGB must match [0-9A-F]{6}!', { exact: false })).toBeTruthy();
  await user.click(screen.getByText('Take none'));
  expect(await screen.findByText('Start Upload')).toBeTruthy();
  expect(sent()).toEqual([checked]);

  await user.click(screen.getByText('Start Upload'));
  await user.click(await screen.findByText('Take the good rows'));
  expect(await screen.findByText('Import Successed')).toBeTruthy();
  expect(screen.getByText('Total matched 133 rows of data.')).toBeTruthy();
  expect(screen.getByText('a.qvd: 133 rows by id, RGB; refused rows: 2')).toBeTruthy();
  expect(sent()).toEqual([checked, checked, { kapsuleId: 'k1', goodRowsOnly: 'true' }]);
});

test('deleted rows come back only after a question', async () => {
  const { user, sent } = await upload({ ...file, changes: changes(1) });
  expect(await screen.findByText('1 deleted granule would come back.')).toBeTruthy();
  expect(sent()).toEqual([checked]);
  await user.click(screen.getByText('Bring them back'));
  expect(await screen.findByText('Import Successed')).toBeTruthy();
});

test('another service is asked to store at once: it might store what is only to be checked', async () => {
  const { sent } = await upload({ ...file, refused }, 'plain');
  expect(await screen.findByText('Import Successed')).toBeTruthy();
  expect(sent()).toEqual([{ kapsuleId: 'k1' }]);
});
