import { writeThread } from '@kaptain/contract/thread-text';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { adminUser, renderScreen } from '../../../testing/render-screen.tsx';
import { granule, kapsule, pageOf, path, serviceWith } from '../granules-fixture.ts';
import { valueText } from '../value-text.ts';
import { threadChanges } from './thread-words.ts';

const anna = {
  id: 'k3f9x2a1',
  author: 'UserDirectory=CORP; UserId=anna',
  at: '2026-03-01T10:00:00Z',
  text: 'Ask @[CORP\\bob]\n<b>now</b>',
};
const bob = { id: 'p0q1r2s3', author: 'CORP\\bob', at: '2026-03-01T11:00:00Z', text: 'Done.' };
const threadOf = (...comments: (typeof anna)[]) => writeThread({ preface: '', comments });

const thread = { name: 'f', type: 'thread' };
test('a thread is one line in the table: how many comments, and the last one', () => {
  expect(valueText(threadOf(anna), thread)).toBe('1 comment · anna: Ask @CORP\\bob\n<b>now</b>');
  expect(valueText(threadOf(anna, bob), thread)).toBe('2 comments · CORP\\bob: Done.');
  expect([valueText('', thread), valueText('old text', thread)]).toEqual(['', 'old text']);
});

test('the history of a thread tells the comments that differ', () => {
  const change = (before: unknown, after: unknown) => threadChanges({ field: 'Talk', before, after });
  const [first, second] = ['anna: Ask @CORP\\bob\n<b>now</b>', 'CORP\\bob: Done.'];
  expect(change(undefined, threadOf(anna))).toEqual([{ field: 'Talk', before: undefined, after: first }]);
  expect(change(threadOf(anna, bob), threadOf(anna, { ...bob, text: 'Soon.' }))).toEqual([
    { field: 'Talk', before: second, after: 'CORP\\bob: Soon.' },
  ]);
  expect(change(threadOf(anna, bob), threadOf(bob))).toEqual([
    { field: 'Talk', before: first, after: undefined },
  ]);
  expect(change('old text', `old text\n${threadOf(bob)}`)).toEqual([
    { field: 'Talk', before: undefined, after: second },
  ]);
});

test('the details show who wrote what and mark mentions; the edit dialog leaves the thread out', async () => {
  const fields = [...kapsule.fields, { name: 'Talk', type: 'thread' }];
  const data = { Comment: 'x', Talk: threadOf(anna, bob) };
  const { user } = renderScreen(`${path}?open=id-A1`, {
    as: adminUser,
    answers: serviceWith(
      { list: () => pageOf({ data: [granule('A1', { data, version: 3 })] }), history: () => [] },
      { kapsules: { get: () => ({ ...kapsule, fields }) } },
    ),
  });
  const [one, two] = within(await screen.findByRole('list', { name: 'Comments of Talk' })).getAllByRole(
    'listitem',
  );
  expect(one?.textContent).toContain('<b>now</b>');
  expect(within(one as HTMLElement).getByText('@CORP\\bob').tagName).toBe('MARK');
  expect(two?.textContent).toContain('Done.');
  await user.click(screen.getByText('Edit', { selector: 'button *' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByLabelText('Comment')).toBeTruthy();
  expect(dialog.queryByLabelText('Talk')).toBeNull();
});
