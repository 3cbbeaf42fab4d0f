import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldName, type Nouns, openEmbeddedStore, type Store } from '@kaptain/store';
import { hashPassword } from '../../apps/service/src/identity/passwords/passwords.ts';

export const PASSWORD = 'a password for the bench';
export const USERS = 200;
export const KAPSULES = 200;
const GROUPS = 20;

const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-02T00:00:00.000Z' };
const numbers = (count: number) => Array.from({ length: count }, (_, place) => place);

async function addUser(
  nouns: Nouns,
  username: string,
  passwordHash: string,
  isAdmin: boolean,
): Promise<string> {
  const { id } = await nouns.users.insert({
    username,
    nameKey: foldName(username),
    passwordHash,
    role: isAdmin ? 'ADMIN' : 'USER',
    qlikId: `CORP\\${username}`,
    isCreate: isAdmin,
    isFirstAdmin: isAdmin,
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
  const fields = types.map((type, place) => ({ _id: `f${place}`, name: `Field ${place}`, type }));
  const binding = {
    database: 'kaptaindb',
    tableName: 'kaptaindb',
    table: 'Comments',
    keyField: 'Key',
  } as const;
  const { id } = await nouns.kapsules.insert({
    name,
    nameKey: foldName(name),
    ...binding,
    owner: 'UserDirectory=CORP; UserId=owner',
    ownerId,
    fields,
    ...times,
  });
  return id;
}

/** 200 users, each in 4 of 20 groups, which together grant all 200 kapsules to the user reader. */
export async function fill(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  // Trusts the forwarded addresses of the login flood, which simulates many clients.
  writeFileSync(join(folder, 'kaptain.json'), JSON.stringify({ trustedProxies: ['127.0.0.1'] }));
  writeFileSync(
    join(folder, 'settings.json'),
    JSON.stringify({ settings: {}, system: { logLevel: 'warn' } }),
  );
  const store = await openEmbeddedStore({ file: join(folder, 'kaptain.db') });
  await fillStore(store);
  await store.close();
}

export async function fillStore(store: Store): Promise<void> {
  const passwordHash = await hashPassword(PASSWORD);
  await store.transaction(async (nouns) => {
    await nouns.instance.insert({ singleton: 'instance', initializedAt: times.createdAt });
    const admin = await addUser(nouns, 'admin', passwordHash, true);
    const reader = await addUser(nouns, 'reader', passwordHash, false);
    const users: string[] = [];
    for (const place of numbers(USERS - 2))
      users.push(await addUser(nouns, `user.${place}`, passwordHash, false));
    const kapsules: string[] = [];
    for (const place of numbers(KAPSULES)) kapsules.push(await addKapsule(nouns, `Kapsule ${place}`, admin));
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
