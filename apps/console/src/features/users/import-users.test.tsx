import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { refuse } from '../../testing/fake-service.ts';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';
import { serviceWith } from './users-fixture.ts';

const csv = `username,password,role,qlikId,groups,isCreate
nina,long enough,USER,CORP\\nina,Finance,no
jane,long enough,USER,CORP\\jane,,
olga,short,USER,CORP\\olga,Ghosts,
paul,long enough,USER,CORP\\paul,,
rita,long enough,USER,CORP\\rita,,`;

test('an import of users leaves out wrong rows, and says of each other one whether it was created', async () => {
  const create = ({ username }: { username: string }) =>
    username === 'paul' ? refuse('CONFLICT', 'A user with this name exists already.') : { status: 'ok' };
  const { user, service } = renderScreen('/system/users', {
    as: adminUser,
    answers: serviceWith({ create: ({ body }) => create(body) }),
  });
  await user.click(await screen.findByRole('button', { name: 'Import CSV' }));
  const dialog = within(await screen.findByRole('dialog'));
  await waitFor(() => expect(service.callsOf('groups.list').length).toBeGreaterThan(0));
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  await user.upload(input as HTMLInputElement, new File([csv], 'users.csv', { type: 'text/csv' }));
  expect(await dialog.findByText('3 of 5 rows can be created. 2 rows are left out.')).toBeTruthy();
  const wrong = (name: string) => dialog.getByText(name).closest('tr')?.textContent;
  expect(wrong('jane')).toContain('A user with this name exists already.');
  expect(wrong('olga')).toContain('There is no group Ghosts.');
  expect(dialog.queryByText(/long enough/)).toBeNull();

  await user.click(dialog.getByRole('button', { name: 'Create 3 users' }));
  expect(await dialog.findByText('nina is created.')).toBeTruthy();
  expect(dialog.getByText('paul: A user with this name exists already.')).toBeTruthy();
  expect(dialog.getByText('rita is created.')).toBeTruthy();
  expect(service.callsOf('users.create')).toHaveLength(3);
});

test('an import of users asks once who the ADMIN is, and stops when they do not confirm it', async () => {
  const create = () => refuse('PROOF_NEEDED', 'Please confirm that it is you.', { methods: ['password'] });
  const { user, service } = renderScreen('/system/users', {
    as: adminUser,
    answers: serviceWith({ create }),
  });
  await user.click(await screen.findByRole('button', { name: 'Import CSV' }));
  const dialog = within(await screen.findByRole('dialog'));
  await waitFor(() => expect(service.callsOf('groups.list').length).toBeGreaterThan(0));
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  await user.upload(input as HTMLInputElement, new File([csv], 'users.csv', { type: 'text/csv' }));
  await user.click(await dialog.findByRole('button', { name: 'Create 3 users' }));
  const question = (await screen.findByText('Confirm that it is you')).closest('[role=dialog]');
  await user.click(within(question as HTMLElement).getByText('Cancel'));
  expect(await dialog.findByText('nina: Please confirm that it is you.')).toBeTruthy();
  expect(service.callsOf('users.create')).toHaveLength(1);
});
