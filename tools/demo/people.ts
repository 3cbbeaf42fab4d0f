import { foldName, type Nouns } from '@kaptain/store';
import { minutesAgo } from './random.ts';

const names = [
  'mara.lindqvist',
  'jonas.weber',
  'amelie.durand',
  'tomasz.kowalski',
  'sofia.rossi',
  'yuki.tanaka',
  'oliver.bennett',
  'ines.carvalho',
  'henrik.dahl',
  'priya.raman',
  'lukas.novak',
  'chloe.martin',
  'diego.fernandez',
] as const;

const account = (username: string, passwordHash: string, minutes: number) => ({
  username,
  nameKey: foldName(username),
  passwordHash,
  role: 'USER' as const,
  qlikId: `CORP\\${username}`,
  isCreate: true,
  isFirstAdmin: false,
  loginAttempts: 0,
  lockCount: 0,
  lockTime: null,
  lastLoginAttempt: null,
  createdAt: minutesAgo(minutes),
  updatedAt: minutesAgo(minutes),
});

/** Adds 15 users: the first admin, a second one, and 13 others, one of them locked. Returns the ids by name. */
export async function addPeople(nouns: Nouns, passwordHash: string): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const add = async (user: Parameters<typeof nouns.users.insert>[0]) =>
    ids.set(user.username, (await nouns.users.insert(user)).id);

  await nouns.instance.insert({ singleton: 'instance', initializedAt: minutesAgo(90_000) });
  const admin = { role: 'ADMIN', isCreate: true } as const;
  await add({ ...account('admin', passwordHash, 90_000), ...admin, isFirstAdmin: true });
  await add({ ...account('ruth.okafor', passwordHash, 80_000), ...admin });
  for (const [index, name] of names.entries())
    await add({ ...account(name, passwordHash, 70_000 - index * 3000), isCreate: index % 3 === 0 });

  const locked = ids.get('henrik.dahl');
  if (locked)
    await nouns.users.patch(locked, {
      loginAttempts: 5,
      lockCount: 1,
      lockTime: minutesAgo(-14),
      lastLoginAttempt: minutesAgo(1),
    });
  return ids;
}
