import type { TestApp } from './test-app.ts';

export const ruthIsAdmin = { role: 'ADMIN', isCreate: true } as const;

export async function idOf(app: TestApp, nameKey: string): Promise<string> {
  return (await app.store.users.findBy('nameKey', nameKey))[0]?.id ?? 'missing';
}

export const group = (app: TestApp, groupname: string, userIds: string[] = []) =>
  app.store.groups.insert({
    groupname,
    nameKey: groupname,
    authority: ['READ'],
    kapsuleIds: [],
    userIds,
    createdAt: '',
    updatedAt: '',
  });

/** The body that the form for changing a user sends; each user has a Qlik id of their own. */
export const formOf = (userId: string, change: Record<string, unknown> = {}) => ({
  userId,
  role: 'USER',
  groups: [],
  qlikId: `CORP\\${userId}`,
  isCreate: false,
  ...change,
});
