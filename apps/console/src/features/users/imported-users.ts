import { foldName } from '@kaptain/contract/folding';
import type { Group } from '@kaptain/contract/groups';
import { messages } from '@kaptain/contract/messages';
import type { User } from '@kaptain/contract/users';
import type { NewUser } from '../../api/users.ts';
import { passwordProblem } from '../../shared/password-rules.ts';
import { readCsv } from '../../shared/read-csv.ts';

export interface ImportedUser {
  /** The number of the row in the file, the header being 1. */
  row: number;
  user: NewUser;
  groupNames: string[];
  /** Why it can not be created. */
  problems: string[];
}

export const MOST_USERS = 500;
export const columns = ['username', 'password', 'role', 'qlikId', 'groups', 'isCreate'] as const;
type ColumnName = (typeof columns)[number];

interface Existing {
  users: readonly Pick<User, 'username'>[];
  groups: readonly Pick<Group, '_id' | 'groupname'>[];
  /** The platform's name, for messages. */
  platform: string;
}

const isYes = (text: string) => !/^(no|false|0|n)$/i.test(text.trim());
const named = (text: string) =>
  text
    .split('|')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** The users of a CSV file, each with what stands against it; or why the file as a whole is refused. */
export function importedUsers(text: string, existing: Existing): { users: ImportedUser[]; refusal?: string } {
  const [header = [], ...rows] = readCsv(text);
  const columnIndexes = new Map(header.map((name, index) => [name.trim().toLowerCase(), index]));
  const missing = ['username', 'password', 'qlikid'].filter((name) => !columnIndexes.has(name));
  if (missing.length > 0)
    return { users: [], refusal: `The first row must name the columns ${columns.join(', ')}.` };
  if (rows.length === 0) return { users: [], refusal: 'The file has no users.' };
  if (rows.length > MOST_USERS)
    return {
      users: [],
      refusal: `The file has ${rows.length} users; at most ${MOST_USERS} are imported at once.`,
    };

  const taken = new Set(existing.users.map(({ username }) => foldName(username)));
  const groupIds = new Map(existing.groups.map(({ _id, groupname }) => [foldName(groupname), _id]));
  const users = rows.map((row, index) => {
    const value = (column: ColumnName) => row[columnIndexes.get(column.toLowerCase()) ?? -1]?.trim() ?? '';
    const username = value('username');
    const role = value('role').toUpperCase() || 'USER';
    const groupNames = role === 'ADMIN' ? [] : named(value('groups'));
    const unknown = groupNames.filter((name) => !groupIds.has(foldName(name)));
    const password = row[columnIndexes.get('password') ?? -1] ?? '';
    const nameKey = foldName(username);
    const problems = [
      username === '' && messages.userNameRequired,
      username !== '' && taken.has(nameKey) && 'A user with this name exists already.',
      passwordProblem(password),
      role !== 'ADMIN' && role !== 'USER' && `The role ${role} is neither ADMIN nor USER.`,
      value('qlikId') === '' && `${existing.platform} User ID is required!`,
      unknown.length > 0 && `There is no group ${unknown.join(', ')}.`,
    ].filter((problem) => typeof problem === 'string');
    taken.add(nameKey);
    return {
      row: index + 2,
      groupNames,
      problems,
      user: {
        username,
        password,
        role: role === 'ADMIN' ? ('ADMIN' as const) : ('USER' as const),
        qlikId: value('qlikId'),
        // Spec 3: on by default, and forced on for ADMIN.
        isCreate: role === 'ADMIN' || isYes(value('isCreate')),
        groups: groupNames.flatMap((groupname) => {
          const id = groupIds.get(foldName(groupname));
          return id === undefined ? [] : [{ id, groupname }];
        }),
      },
    };
  });
  return { users };
}
