import { expect, test } from 'vitest';
import { importedUsers, MOST_USERS } from './imported-users.ts';

const known = {
  users: [{ username: 'jane' }],
  groups: [{ _id: 'g1', groupname: 'Sales' }],
  platform: 'Qlik',
};
const file = (...rows: string[]) => ['UserName;password;role;qlikId;groups;isCreate', ...rows].join('\r\n');

test('the users of a CSV file get the values of the form, with its defaults', () => {
  const { users } = importedUsers(
    file('otto;" pass word";;CORP\\otto;sales | ;no', 'ruth;12345678;admin;x;Sales;no'),
    known,
  );
  expect(users.map(({ user }) => user)).toEqual([
    {
      username: 'otto',
      password: ' pass word',
      role: 'USER',
      qlikId: 'CORP\\otto',
      isCreate: false,
      groups: [{ id: 'g1', groupname: 'sales' }],
    },
    { username: 'ruth', password: '12345678', role: 'ADMIN', qlikId: 'x', isCreate: true, groups: [] },
  ]);
  expect(users.flatMap(({ problems }) => problems)).toEqual([]);
});

test('a row says what stands against it, and a name is taken by the row before, too', () => {
  const { users } = importedUsers(
    file('JANE;12345678;USER;x;;', ';short;BOSS;;Nowhere;', 'new;12345678;;x;;', 'New;12345678;;x;;'),
    known,
  );
  expect(users.map(({ row, problems }) => [row, problems])).toEqual([
    [2, ['A user with this name exists already.']],
    [
      3,
      [
        'Please input your user name!',
        'Please use at least 8 characters as password!',
        'The role BOSS is neither ADMIN nor USER.',
        'Qlik User ID is required!',
        'There is no group Nowhere.',
      ],
    ],
    [4, []],
    [5, ['A user with this name exists already.']],
  ]);
});

test('a file without the columns, without rows or with too many of them is refused', () => {
  const refusal = (text: string) => importedUsers(text, known).refusal;
  expect(refusal('name,password\na,b')).toMatch('must name the columns username, password, role');
  expect(refusal(file())).toBe('The file has no users.');
  expect(refusal(file(...Array.from({ length: MOST_USERS + 1 }, (_, n) => `u${n};12345678;;x;;`)))).toBe(
    'The file has 501 users; at most 500 are imported at once.',
  );
});
