import { newId } from '../ids.ts';
import { type NounName, nounNames } from '../nouns/all.ts';
import type { Nouns, Store } from '../store.ts';
import { A_MOMENT, aGroup, aKapsule, anAuditEntry, aSession, aUser, someGranules } from './samples.ts';

type RecordOf<Name extends NounName> = Nouns[Name] extends { insert(document: infer D): unknown } ? D : never;

interface Insertable {
  insert(document: object): Promise<unknown>;
}

const attempts = { loginAttempts: 2, lockCount: 1, lockTime: A_MOMENT, lastLoginAttempt: A_MOMENT };

/** A document of every noun with all of its fields, optional ones included; a new noun or field gets its sample here. */
export function oneOfEach(): { [Name in NounName]: RecordOf<Name> } {
  const [userId, kapsuleId, sessionId] = [newId(), newId(), newId()];
  const entryId = newId();
  const user = aUser('Ådmin ß', { role: 'ADMIN', isFirstAdmin: true, isCreate: true, ...attempts });
  const kapsule = {
    ...aKapsule('k', userId),
    id: kapsuleId,
    fields: [{ _id: newId(), name: 'comment', type: 'text' as const }],
    appId: 'app',
    state: 'deleting' as const,
    writers: 'READ' as const,
    locks: [
      {
        name: 'Closed',
        fields: ['comment'],
        closes: 'when' as const,
        conditions: [{ on: 'field' as const, field: 'comment', is: 'filled' as const }],
        mayEnter: true,
        openers: 'OWNER' as const,
      },
    ],
    approval: { fields: ['comment'], groupIds: [newId()], count: 2 as const },
  };
  const plan = {
    kapsuleId,
    cron: '0 6 * * 1-5',
    timeZone: 'Europe/Berlin',
    isPaused: true,
    partial: true,
    userId,
  };
  return {
    users: {
      ...user,
      id: userId,
      qlikIdGiven: { qlikId: user.qlikId, at: A_MOMENT },
      subjectKey: 'hash of issuer and subject',
      deviceAttempts: { device: attempts },
      secondFactor: {
        totp: { sealedSecret: 'sealed', lastStep: 1, since: A_MOMENT },
        recoveryHashes: ['hash of a recovery code'],
        passkeys: [
          {
            id: newId(),
            name: 'Phone',
            credentialId: 'credential',
            publicKey: 'key',
            counter: 1,
            transports: ['internal'],
            host: 'kaptain.example',
            createdAt: A_MOMENT,
            lastUsedAt: A_MOMENT,
          },
        ],
      },
    },
    groups: aGroup('g', {
      authority: ['READ', 'WRITE', 'DELETE'],
      userIds: [userId],
      kapsuleIds: [kapsuleId],
    }),
    kapsules: kapsule,
    deletedKapsules: {
      ...kapsule,
      id: newId(),
      deletedAt: A_MOMENT,
      deletedBy: 'ann',
      purgeAt: A_MOMENT,
      groupIds: [newId()],
      schedule: plan,
      tableDrop: 'own',
    },
    apiKeys: {
      name: 'key',
      keyHash: 'hash of a key',
      masked: 'kap_… 1234',
      userId,
      userName: 'ann',
      createdAt: A_MOMENT,
      lastUsedAt: A_MOMENT,
      expiresAt: A_MOMENT,
      kapsuleIds: [kapsuleId],
      mayDelete: true,
      authority: 'DELETE',
    },
    sessions: {
      ...aSession('hash of a token', userId),
      id: sessionId,
      provenAt: A_MOMENT,
      isByProvider: true,
    },
    tickets: {
      ticketHash: 'hash of a ticket',
      path: '/api/kapsule',
      userId,
      sessionId,
      expiresAt: A_MOMENT,
    },
    extensionGrants: {
      kind: 'code',
      secretHash: 'hash of a code',
      userId,
      sessionId,
      platformUser: 'CORP\\ann',
      platformPerson: { directory: 'CORP', userId: 'ann' },
      kapsuleIds: [kapsuleId],
      origin: 'https://hub.example',
      challenge: 'hash of a verifier',
      expiresAt: A_MOMENT,
    },
    challenges: {
      kind: 'totp',
      secretHash: 'hash of a secret',
      userId,
      data: 'sealed',
      sid: 'sid',
      expiresAt: A_MOMENT,
    },
    providerSessions: { sessionId, userId, sid: 'sid', sealedTokens: 'sealed', checkedAt: A_MOMENT },
    usedLogoutTokens: { tokenKey: 'hash of a token', expiresAt: A_MOMENT },
    jobs: {
      name: 'Reload',
      type: 'single',
      status: 'running',
      userId,
      kapsuleId,
      appId: 'app',
      partial: true,
      lastRunAt: A_MOMENT,
      lastFinishedAt: A_MOMENT,
      qlikUser: { userDirectory: 'CORP', userId: 'ann' },
      qScriptLogFile: 'app.log',
      failReason: 'why',
      progress: 0.5,
      progressText: 'half',
      createdAt: A_MOMENT,
      run: {
        trigger: 'schedule',
        attempt: 1,
        notBefore: A_MOMENT,
        lease: { holder: 'instance', until: A_MOMENT },
        cancelAskedBy: 'ann',
        watermarks: { [kapsuleId]: 3 },
      },
    },
    schedules: { ...plan, nextRunAt: A_MOMENT },
    views: { userId, kapsuleId, name: 'Open', nameKey: 'ann k open', query: 'q=open' },
    proposals: {
      kapsuleId,
      openIn: kapsuleId,
      key: 'key-1',
      rowKey: 'hash of a row',
      state: 'open',
      baseVersion: 3,
      base: { comment: 'before' },
      values: { comment: 'after' },
      author: 'CORP\\ann',
      authorKey: 'an author',
      accountId: userId,
      comment: 'why',
      approvals: [{ userId: newId(), by: 'bob', at: A_MOMENT }],
      decidedBy: 'cid',
      decidedAt: A_MOMENT,
      reason: 'why not',
      madeState: 'granule and version',
      createdAt: A_MOMENT,
      updatedAt: A_MOMENT,
    },
    commentAuthors: {
      kapsuleId,
      tableKey: 'a table of a data source',
      threadKey: 'hash of a thread',
      authors: { comment1: 'an author' },
    },
    audit: anAuditEntry('user.update', {
      id: entryId,
      actorId: userId,
      target: `user:${userId}`,
      targetName: 'ann',
      before: { qlikId: '' },
      after: { qlikId: 'CORP\\ann' },
      isAhead: true,
      number: 1,
      seal: 'seal',
    }),
    toSeal: { id: entryId, mac: 'mac', key: 'key' },
    seals: { first: 1, entries: [[entryId, 'mac']], seal: 'seal' },
    trail: { singleton: 'trail', number: 1, lastSeal: 'seal', lastId: entryId, seal: 'seal' },
    instance: { singleton: 'instance', initializedAt: A_MOMENT, pepperMark: 'mark', epoch: 'epoch' },
    serviceInstances: {
      instance: 'one',
      name: 'host:8000',
      release: '1.0.0',
      generation: 2,
      restart: 1,
      startedAt: A_MOMENT,
      seenAt: A_MOMENT,
      failure: { generation: 3, reason: 'why', at: A_MOMENT },
    },
    rollout: {
      singleton: 'rollout',
      generation: 3,
      restart: 1,
      restartAskedAt: A_MOMENT,
      holder: 'one',
    },
    settingsGenerations: {
      generation: 3,
      at: A_MOMENT,
      sealed: 'sealed',
      appliedAt: A_MOMENT,
      rejected: { at: A_MOMENT, reason: 'why' },
    },
    settingsFiles: { name: 'server.pem', sealed: 'sealed', at: A_MOMENT, waitingFor: 'hash-server.pem' },
  };
}

/** Nouns of the audit trail, which a sealed store writes by itself. */
const TRAIL: readonly NounName[] = ['audit', 'toSeal', 'seals', 'trail'];

/** Stores a little of all that can be stored; the store seals its trail. Returns the ids of the kapsules. */
export async function fillWithAll(store: Store): Promise<string[]> {
  const samples = oneOfEach();
  for (const name of nounNames)
    if (!TRAIL.includes(name)) await (store[name] as unknown as Insertable).insert(samples[name]);
  for (let n = 0; n < 3; n += 1) await store.audit.insert(anAuditEntry('user.update', { after: { n } }));
  const kapsuleId = samples.kapsules.id ?? '';
  const { granules } = store;
  await granules.bulkUpsert(kapsuleId, someGranules(12));
  await granules.markReloaded(kapsuleId, await granules.watermark(kapsuleId));
  const again = { key: 'key-1', user: 'Ann', data: { comment: 'second ä\0\uD800"' } };
  await granules.upsert(kapsuleId, [
    again,
    { key: 'k'.repeat(700), user: 'u', data: {}, createdAt: A_MOMENT },
  ]);
  const { rows } = await granules.page(kapsuleId, { sort: 'key', descending: false, offset: 0, limit: 4 });
  const ids = rows.map(({ id }) => id);
  await granules.removeMany(ids, 'Cid');
  await granules.restoreMany(ids.slice(0, 2), 'Dan');
  await granules.importAll(kapsuleId, someGranules(3, 'imported'), async () => undefined);
  return [kapsuleId];
}
