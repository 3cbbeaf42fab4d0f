import { randomBytes } from 'node:crypto';
import type { Authority, Field } from '@kaptain/contract';
import { foldName, type KapsuleRecord, type Store } from '@kaptain/store';

const at = '2026-01-02T03:04:05.000Z';
let count = 0;

/** Inserts a kapsule, owned by the user of this name or by another one. */
export async function addKapsule(
  store: Store,
  name: string,
  { owner = 'somebody', ...change }: Partial<KapsuleRecord> = {},
): Promise<KapsuleRecord> {
  const [user] = await store.users.findBy('nameKey', foldName(owner));
  const fields: Field[] = [
    { _id: 'f1', name: 'comment', type: 'text' },
    { _id: 'f2', name: 'amount', type: 'number' },
  ];
  return store.kapsules.insert({
    name,
    nameKey: foldName(name),
    database: 'kaptaindb',
    tableName: 'kaptaindb',
    table: `${name} table`,
    keyField: 'id',
    owner,
    ownerId: user?.id ?? 'somebody',
    fields,
    createdAt: at,
    updatedAt: at,
    ...change,
  });
}

/** Inserts a group that gives the user of this name authority on these kapsules. */
export async function grant(
  store: Store,
  username: string,
  authority: Authority[],
  kapsules: readonly KapsuleRecord[],
): Promise<string> {
  const [user] = await store.users.findBy('nameKey', foldName(username));
  const groupname = `group ${++count}`;
  const { id } = await store.groups.insert({
    groupname,
    nameKey: groupname,
    authority,
    kapsuleIds: kapsules.map((kapsule) => kapsule.id),
    userIds: user ? [user.id] : [],
    createdAt: at,
    updatedAt: at,
  });
  return id;
}

/** Inserts granules with the keys 1, 2, 3 … */
export async function addGranules(store: Store, kapsule: KapsuleRecord, howMany: number): Promise<string[]> {
  const rows = Array.from({ length: howMany }, (_, index) => ({
    key: String(index + 1),
    user: 'UserDirectory=TEST; UserId=vera',
    data: { comment: `comment ${index + 1}`, amount: index },
  }));
  return (await store.granules.upsert(kapsule.id, rows)).map(({ id }) => id);
}

/** The audited actions on an object, oldest first. */
export const actionsOn = async (store: Store, noun: string, id: string) =>
  (await store.audit.findBy('target', `${noun}:${id}`)).map(({ action, before, after }) => ({
    action,
    before,
    after,
  }));

/** Inserts random granules of 100 kB, more than the socket buffers hold. */
export async function addLargeGranules(store: Store, kapsule: KapsuleRecord, howMany: number): Promise<void> {
  const comment = () => randomBytes(50_000).toString('hex');
  for (let index = 1; index <= howMany; index++)
    await store.granules.upsert(kapsule.id, [
      { key: String(index), user: 'u', data: { comment: comment() } },
    ]);
}
