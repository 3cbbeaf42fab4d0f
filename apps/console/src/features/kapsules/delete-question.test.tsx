import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { reactIsIdle } from '../../testing/production-act.ts';
import { adminUser, plainUser } from '../../testing/render-screen.tsx';
import { sampleKapsule } from '../../testing/sample-kapsule.ts';
import { type DeleteChoice, DeleteQuestion } from './DeleteQuestion.tsx';

const sales = sampleKapsule({ name: 'Sales', authority: ['READ', 'DELETE'], ownerId: 'u-mara' });
const budget = { ...sales, _id: 'id-Budget', name: 'Budget', database: 'mssql', ownerId: plainUser.userId };
const staff = {
  ...budget,
  _id: 'id-Staff',
  name: 'Staff',
  database: 'postgresql',
  tableMadeByService: false,
};

/** The question about these kapsules, alone. */
function ask(kapsules: (typeof sales)[], me = plainUser) {
  const chosen: DeleteChoice[] = [];
  const { container, unmount } = render(
    <DeleteQuestion
      me={me}
      kapsules={kapsules}
      isRestorable
      onChange={(choice) => chosen.push(choice)}
      onEnter={() => undefined}
    />,
  );
  const user = userEvent.setup({ delay: 0, advanceTimers: reactIsIdle, pointerEventsCheck: 0 });
  return { text: container.textContent, chosen, unmount, user };
}

test('a restore is promised to the owner of all, and else it is said who can', () => {
  const promises: [text: RegExp, kapsules: (typeof sales)[]][] = [
    [/kapsule can be restored for 30 days, with/, [budget]],
    [/kapsule can be restored for 30 days by its owner or an ADMIN, with/, [sales]],
    [/kapsules can be restored for 30 days by their owners or an ADMIN, with/, [sales, budget]],
  ];
  for (const [text, kapsules] of promises) {
    const question = ask(kapsules);
    expect(question.text).toMatch(text);
    question.unmount();
  }
});

test('a table on another database is kept, dropped in 30 days or at once, as the user chooses', async () => {
  const { user, chosen } = ask([sales, budget]);
  const table = screen.getByLabelText<HTMLInputElement>('Delete table on mssql');
  expect(table.checked).toBe(false);
  await user.click(table);
  expect(screen.getByLabelText<HTMLInputElement>(/^in 30 days/).checked).toBe(true);
  expect(screen.queryByText(/This can’t be undone/)).toBeNull();
  await user.click(screen.getByLabelText('at once, for good'));
  expect(screen.getByText(/This can’t be undone/)).toBeTruthy();
  expect(chosen).toEqual([
    { deleteTable: true, dropNow: false, isConfirmed: true },
    { deleteTable: true, dropNow: true, isConfirmed: true },
  ]);
});

test('a USER is not asked about a table that the service did not make, an ADMIN is asked about any', () => {
  for (const kapsules of [[sales], [staff], [budget, staff]]) {
    const question = ask(kapsules);
    expect(screen.queryByRole('checkbox')).toBeNull();
    question.unmount();
  }
  ask([budget, staff], adminUser);
  expect(screen.getByLabelText('Delete table on mssql, postgresql')).toBeTruthy();
});
