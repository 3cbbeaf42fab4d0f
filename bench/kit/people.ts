import { foldName, type Nouns, type Store } from '@kaptain/store';

export const PASSWORD = 'a password for the bench';
export const KAPSULES = 200;
const USERS = 200;
const GROUPS = 20;

const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-02T00:00:00.000Z' };
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

async function addUser(nouns: Nouns, username: string, passwordHash: string): Promise<string> {
  const { id } = await nouns.users.insert({
    username,
    nameKey: foldName(username),
    passwordHash,
    role: 'USER',
    qlikId: `CORP\\${username}`,
    isCreate: false,
    isFirstAdmin: false,
    loginAttempts: 0,
    lockCount: 0,
    lockTime: null,
    lastLoginAttempt: null,
    ...times,
  });
  return id;
}

async function addKapsule(nouns: Nouns, name: string, ownerId: string): Promise<string> {
  const types = ['text', 'number', 'date'] as const;
  const { id } = await nouns.kapsules.insert({
    name,
    nameKey: foldName(name),
    database: 'kaptaindb',
    tableName: 'kaptaindb',
    table: 'Comments',
    keyField: 'Key',
    owner: 'UserDirectory=CORP; UserId=owner',
    ownerId,
    fields: types.map((type, index) => ({ _id: `f${index}`, name: `Field ${index}`, type })),
    ...times,
  });
  return id;
}

/**
 * 200 users, each in 4 of 20 groups, which together grant all 200 kapsules to the user `reader`. Each has the password of the
 * admin, who is there already.
 */
export async function fillPeople(store: Store): Promise<void> {
  await store.transaction(async (nouns) => {
    const [admin] = await nouns.users.all();
    if (!admin) throw new Error('There is no admin.');
    const reader = await addUser(nouns, 'reader', admin.passwordHash);
    const users: string[] = [];
    for (const place of numbers(USERS - 2))
      users.push(await addUser(nouns, `user.${place}`, admin.passwordHash));
    const kapsules: string[] = [];
    for (const place of numbers(KAPSULES))
      kapsules.push(await addKapsule(nouns, `Kapsule ${place}`, admin.id));
    for (const place of numbers(GROUPS)) {
      const groupname = `Group ${place}`;
      const members = users.filter((_, user) => (user + place) % (GROUPS / 4) === 0);
      await nouns.groups.insert({
        groupname,
        nameKey: foldName(groupname),
        authority: place % 2 === 0 ? ['READ'] : ['READ', 'DELETE'],
        userIds: [reader, ...members],
        kapsuleIds: kapsules.filter((_, kapsule) => kapsule % GROUPS === place),
        ...times,
      });
    }
  });
}
