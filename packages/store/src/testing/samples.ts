import { foldName } from '../folding.ts';
import type { GranuleInput } from '../granules.ts';
import type { ApiKeyRecord } from '../nouns/api-keys.ts';
import type { AuditRecord } from '../nouns/audit.ts';
import type { DeletedKapsuleRecord } from '../nouns/deleted-kapsules.ts';
import type { GroupRecord } from '../nouns/groups.ts';
import type { KapsuleRecord } from '../nouns/kapsules.ts';
import type { SessionRecord } from '../nouns/sessions.ts';
import type { UserRecord } from '../nouns/users.ts';
import type { NewDocument } from '../store.ts';

export const A_MOMENT = '2026-03-01T08:30:00.000Z';

export function aUser(username: string, differing: Partial<UserRecord> = {}): NewDocument<UserRecord> {
  return {
    username,
    nameKey: foldName(username),
    passwordHash: '$argon2id$sample',
    role: 'USER',
    qlikId: '',
    isCreate: false,
    isFirstAdmin: false,
    loginAttempts: 0,
    lockCount: 0,
    lockTime: null,
    lastLoginAttempt: null,
    createdAt: A_MOMENT,
    updatedAt: A_MOMENT,
    ...differing,
  };
}

export function aGroup(groupname: string, differing: Partial<GroupRecord> = {}): NewDocument<GroupRecord> {
  return {
    groupname,
    nameKey: foldName(groupname),
    authority: ['READ'],
    kapsuleIds: [],
    userIds: [],
    createdAt: A_MOMENT,
    updatedAt: A_MOMENT,
    ...differing,
  };
}

export function anApiKey(name: string, differing: Partial<ApiKeyRecord> = {}): NewDocument<ApiKeyRecord> {
  return {
    name,
    keyHash: `hash of ${name}`,
    masked: 'kpt_… 1234',
    userId: 'ann',
    userName: 'ann',
    createdAt: A_MOMENT,
    lastUsedAt: null,
    ...differing,
  };
}

export function aKapsule(name: string, ownerId: string): NewDocument<KapsuleRecord> {
  return {
    name,
    nameKey: foldName(name),
    database: 'kaptaindb',
    tableName: 'kaptaindb',
    table: '',
    keyField: 'id',
    owner: 'somebody',
    ownerId,
    fields: [],
    createdAt: A_MOMENT,
    updatedAt: A_MOMENT,
  };
}

export function aDeletedKapsule(kapsule: KapsuleRecord): NewDocument<DeletedKapsuleRecord> {
  const { version: _, ...record } = kapsule;
  return {
    ...record,
    deletedAt: A_MOMENT,
    deletedBy: 'ann',
    purgeAt: A_MOMENT,
    groupIds: [],
    schedule: null,
    tableDrop: null,
  };
}

export function aSession(tokenHash: string, userId: string): NewDocument<SessionRecord> {
  return {
    tokenHash,
    userId,
    createdAt: A_MOMENT,
    lastSeenAt: A_MOMENT,
    expiresAt: A_MOMENT,
    ip: '127.0.0.1',
    userAgent: 'test',
  };
}

export function anAuditEntry(action: string, differing: Partial<AuditRecord> = {}): NewDocument<AuditRecord> {
  return {
    at: A_MOMENT,
    actorId: null,
    actor: 'nobody',
    ip: '127.0.0.1',
    action,
    target: null,
    targetName: null,
    result: 'ok',
    requestId: 'r-1',
    before: null,
    after: null,
    ...differing,
  };
}

export function* someGranules(count: number, prefix = 'key'): Generator<GranuleInput> {
  for (let n = 0; n < count; n += 1) {
    yield {
      key: `${prefix}-${n}`,
      user: 'UserDirectory=CORP; UserId=ann',
      data: { comment: `remark ${n}`, n },
    };
  }
}
