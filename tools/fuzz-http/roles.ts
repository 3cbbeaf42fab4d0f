import { type ActorName, actorNames } from '../../apps/service/src/testing/access-matrix/rows.ts';

/** The callers of the access matrix, and a browser that follows a download link. */
export type Role = ActorName | 'ticket';

/** The credentials of roles, which the world holds. */
interface Credentials {
  token(role: Role): string;
  apiKey(role: Role): string;
}

interface RoleRule {
  headers(credentials: Credentials): [string, string][];
  /** It may never change the witness, so requests may contain its id. */
  maySeeWitness: boolean;
  /** The account of the role. */
  account?: { role: 'USER' | 'ADMIN'; isCreate: boolean };
}

const nothing = () => [] as [string, string][];
const token =
  (role: Role) =>
  (credentials: Credentials): [string, string][] => [['authorization', `Bearer ${credentials.token(role)}`]];

const user = (role: Role, isCreate = false): RoleRule => ({
  headers: token(role),
  maySeeWitness: true,
  account: { role: 'USER', isCreate },
});

const key = (role: Role): RoleRule => ({
  headers: (credentials) => [['x-api-key', credentials.apiKey(role)]],
  maySeeWitness: false,
});

export const roles: Record<Role, RoleRule> = {
  nobody: { headers: nothing, maySeeWitness: true },
  USER: user('USER'),
  reader: user('reader'),
  deleter: user('deleter'),
  owner: user('owner', true),
  ADMIN: { headers: token('ADMIN'), maySeeWitness: false, account: { role: 'ADMIN', isCreate: true } },
  admin: { headers: token('admin'), maySeeWitness: false },
  key: key('key'),
  revoked: { headers: token('revoked'), maySeeWitness: true },
  extension: { headers: token('extension'), maySeeWitness: true },
  writer: user('writer'),
  // It confirms reloads.
  readKey: key('readKey'),
  ticket: { headers: nothing, maySeeWitness: true },
};

export const roleNames: readonly Role[] = [...actorNames, 'ticket'];

/** Roles with an account other than the first admin's. */
export const accounts = roleNames.filter((role) => roles[role].account !== undefined);

/** Names are compared without case, and the first admin has `admin`. */
export const accountName = (role: Role): string => (role === 'admin' ? role : `role ${role}`);
