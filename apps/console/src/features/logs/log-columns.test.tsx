import { screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { sampleLog } from '../../testing/sample-log.ts';
import { pageOf } from './logs-fixture.ts';

const START = '2026-03-04 05:06:07';
const others = { _id: true, type: true, userId: true, lastFinishedAt: true, timeConsuming: true };

afterEach(() => vi.restoreAllMocks());

test.each([
  [
    'below the name where chosen columns leave no room for its column',
    others,
    `Reload SalesSucceeded${START}`,
  ],
  ['nowhere if its column is hidden', { ...others, lastRunAt: false }, 'Reload SalesSucceeded'],
])('the start of a run stands %s', async (_, choice, expected) => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);
  localStorage.setItem(`kaptain.table.${plainUser.userId}.logs`, JSON.stringify(choice));
  renderScreen('/system/logs', {
    as: plainUser,
    answers: { logs: { list: () => pageOf(sampleLog('Reload Sales')) } },
  });
  const row = (await screen.findByText('Reload Sales', { selector: 'strong' })).closest('tr');
  if (!row) throw new Error('It is not in a row.');
  const texts = within(row)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
  expect(texts).toContain(expected);
});
