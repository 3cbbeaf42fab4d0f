import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Authority, api, writeThread } from '@kaptain/contract';
import { foldName, type KapsuleRecord, type Nouns, type Unit, type UserRecord } from '@kaptain/store';
import { hashToken, newToken } from '../../base/secrets/tokens.ts';
import { createPasswords } from '../../identity/passwords/passwords.ts';
import { authorKey } from '../../identity/users/author-id.ts';
import { authorName } from '../../identity/users/author-name.ts';
import { threadKeyOf } from '../../kapsules/threads/comment-authors.ts';
import { PASSWORD, type TestApp } from '../test-app.ts';
import { type ActorName, ALLOWED_PAGE, type Relation } from './rows.ts';

export type Kind = 'kapsule' | 'deletedKapsule' | 'user' | 'group' | 'apiKey' | 'job';

export interface ActorInWorld {
  username: string;
  userId: string;
  headers: Record<string, string>;
}

type Headers = Record<string, string>;

/** The id of the comment in the thread of every kapsule. */
export const COMMENT = 'comment1';
const MISSING = 'f'.repeat(24);
const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
let count = 0;
const unique = (word: string) => `${word} ${++count}`;

async function addUser(nouns: Nouns, passwordHash: string, change: Partial<UserRecord>): Promise<UserRecord> {
  const username = unique('user');
  return nouns.users.insert({
    username,
    nameKey: foldName(username),
    passwordHash,
    role: 'USER',
    qlikId: `TEST\\${username}`,
    isCreate: false,
    isFirstAdmin: false,
    loginAttempts: 0,
    lockCount: 0,
    lockTime: null,
    lastLoginAttempt: null,
    ...times,
    ...change,
  });
}

async function addSession(nouns: Nouns, userId: string): Promise<{ token: string; id: string }> {
  const token = newToken();
  const now = new Date().toISOString();
  const expiresAt = '2999-01-01T00:00:00.000Z';
  const ends = { createdAt: now, lastSeenAt: now, expiresAt, ip: '127.0.0.1', userAgent: '' };
  const { id } = await nouns.sessions.insert({ tokenHash: hashToken(token), userId, ...ends });
  return { token, id };
}

const addKapsule = (nouns: Nouns, ownerId: string): Promise<KapsuleRecord> => {
  const name = unique('kapsule');
  const binding = { database: 'kaptaindb', tableName: 'kaptaindb', table: '', keyField: 'id' } as const;
  const fields = [
    { _id: 'f1', name: 'comment', type: 'text' as const },
    { _id: 'f2', name: 'talk', type: 'thread' as const },
  ];
  return nouns.kapsules.insert({ name, nameKey: name, ...binding, owner: 'x', ownerId, fields, ...times });
};

async function addDeletedKapsule(nouns: Nouns, ownerId: string) {
  const { version: _, ...kapsule } = await addKapsule(nouns, ownerId);
  await nouns.kapsules.remove(kapsule.id);
  return nouns.deletedKapsules.insert({
    ...kapsule,
    deletedAt: times.createdAt,
    deletedBy: 'x',
    purgeAt: '2999-01-01T00:00:00.000Z',
    groupIds: [],
    schedule: null,
    tableDrop: null,
  });
}

/** With a comment of the caller. */
async function addGranule(unit: Unit, kapsuleId: string, actor: UserRecord, isServer: boolean) {
  const own = { id: COMMENT, author: authorName(actor), at: '2026-01-01T00:00:00Z', text: 'x' };
  const data = { comment: 'x', talk: writeThread({ preface: '', comments: [own] }) };
  const [granule] = await unit.granules.upsert(kapsuleId, [{ key: '1', user: 'x', data }]);
  const granuleId = granule?.id ?? MISSING;
  const author = authorKey(isServer ? { namedByServer: own.author } : { account: actor.id });
  const threadKey = threadKeyOf({ kapsuleId, granuleId, field: 'talk' });
  await unit.commentAuthors.insert({ kapsuleId, threadKey, authors: { [COMMENT]: author } });
  return granuleId;
}

const isKey = (name: ActorName): boolean => name === 'key' || name === 'readKey';

const addGroup = (nouns: Nouns, authority: Authority[], userIds: string[], kapsuleIds: string[]) => {
  const groupname = unique('group');
  return nouns.groups.insert({ groupname, nameKey: groupname, authority, userIds, kapsuleIds, ...times });
};

function writeLogs(folder: string): void {
  for (const file of [join('script-logs', 'run.log'), join('logs', 'system-current.log')]) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), 'x\n');
  }
}

export type World = Awaited<ReturnType<typeof createWorld>>;

/** Creates callers and objects, new for each call of `prepare`, so that no request depends on another. */
export async function createWorld(app: TestApp) {
  await app.asAdmin();
  writeLogs(app.folder);
  const passwordHash = await createPasswords({ memoryKiB: 64, rounds: 1 }).hash(PASSWORD);
  const { store } = app;
  /** One of each kind for all requests: a key opens nothing that could end it or change its user. */
  const keyHolders = new Map<ActorName, { user: UserRecord; headers: Headers }>();
  /** One for all requests that name no user: they can't change its account. */
  const stranger = await addUser(store, passwordHash, {});

  async function makeActor(nouns: Nouns, name: ActorName): Promise<UserRecord> {
    if (name === 'admin') {
      const [first] = await nouns.users.findBy('nameKey', 'admin');
      // An earlier request may have changed the password.
      if (first) return nouns.users.patch(first.id, { passwordHash });
    }
    const keyHolder = keyHolders.get(name);
    if (keyHolder) return keyHolder.user;
    const isAdmin = name === 'ADMIN' || isKey(name);
    const role = isAdmin ? ('ADMIN' as const) : ('USER' as const);
    return addUser(nouns, passwordHash, { role, isCreate: isAdmin || name === 'owner' });
  }

  /** A token of the extension that opens one kapsule. */
  async function extensionToken(
    nouns: Nouns,
    userId: string,
    sessionId: string,
    kapsuleId: string,
  ): Promise<string> {
    const token = `kxt_${newToken()}`;
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const opened = { userId, sessionId, kapsuleIds: [kapsuleId], origin: ALLOWED_PAGE, challenge: null };
    await nouns.extensionGrants.insert({ kind: 'token', secretHash: hashToken(token), expiresAt, ...opened });
    return token;
  }

  async function credential(
    nouns: Nouns,
    name: ActorName,
    user: UserRecord,
    ownKapsule: string,
  ): Promise<Headers> {
    if (name === 'nobody') return {};
    const keyHolder = keyHolders.get(name);
    if (keyHolder) return keyHolder.headers;
    const { token, id } = await addSession(nouns, user.id);
    if (name === 'revoked') await nouns.sessions.remove(id);
    if (name === 'extension')
      return { authorization: `Bearer ${await extensionToken(nouns, user.id, id, ownKapsule)}` };
    return { authorization: `Bearer ${token}` };
  }

  /** With the session of its user. */
  async function apiKey(headers: Headers, authority: Authority): Promise<Headers> {
    const { path } = api.apiKeys.generate;
    const { body } = await app.asNobody.get(path, headers);
    const apikey = String(body['apikey']);
    await app.asNobody.post(api.apiKeys.create.path, { name: 'k', apikey, authority }, headers);
    return { 'x-api-key': apikey };
  }

  /** The granule of the kapsule that was made last. */
  let granuleId = MISSING;

  /** Creates the object of a call, in the relation of the cell; returns its id. */
  async function makeObject(nouns: Unit, kind: Kind, relation: Relation, actor: UserRecord, name: ActorName) {
    const holder = relation === 'own' ? actor : stranger;
    switch (kind) {
      case 'user':
        return relation === 'own' ? actor.id : (await addUser(nouns, passwordHash, {})).id;
      case 'group':
        return (await addGroup(nouns, ['READ'], holder.role === 'USER' ? [holder.id] : [], [])).id;
      case 'apiKey': {
        const key = { name: 'k', keyHash: unique('hash'), masked: '…', userId: holder.id, userName: 'x' };
        return (await nouns.apiKeys.insert({ ...key, createdAt: '', lastUsedAt: null })).id;
      }
      case 'job': {
        const job = {
          name: 'j',
          type: 'normal',
          status: 'succeeded',
          userId: holder.id,
          partial: false,
        } as const;
        const none = { kapsuleId: null, appId: 'a1', lastRunAt: null, lastFinishedAt: null, qlikUser: null };
        const rest = { qScriptLogFile: 'run.log', failReason: null, progress: null, createdAt: '' };
        return (await nouns.jobs.insert({ ...job, ...none, ...rest })).id;
      }
      case 'deletedKapsule': {
        const isOwner = relation === 'own' && name === 'owner';
        return (await addDeletedKapsule(nouns, isOwner ? actor.id : stranger.id)).id;
      }
      case 'kapsule': {
        const isOwner = relation === 'own' && name === 'owner';
        const kapsule = await addKapsule(nouns, isOwner ? actor.id : stranger.id);
        if (relation === 'own' && name === 'reader')
          await addGroup(nouns, ['READ'], [actor.id], [kapsule.id]);
        if (relation === 'own' && name === 'writer')
          await addGroup(nouns, ['READ', 'WRITE'], [actor.id], [kapsule.id]);
        if (relation === 'own' && (name === 'deleter' || name === 'extension'))
          await addGroup(nouns, ['READ', 'DELETE'], [actor.id], [kapsule.id]);
        granuleId = await addGranule(nouns, kapsule.id, actor, isKey(name));
        return kapsule.id;
      }
    }
  }

  return {
    async prepare(name: ActorName, kind: Kind | undefined, relation: Relation) {
      granuleId = MISSING;
      const { user, id, headers } = await store.transaction(async (nouns) => {
        const user = await makeActor(nouns, name);
        const isThere = kind && relation !== 'missing' && relation !== 'any';
        const id = isThere ? await makeObject(nouns, kind, relation, user, name) : MISSING;
        const ownKapsule = relation === 'own' ? id : 'a'.repeat(24);
        return { user, id, headers: await credential(nouns, name, user, ownKapsule) };
      });
      if (isKey(name) && !keyHolders.has(name)) {
        const authority = name === 'readKey' ? 'READ' : 'DELETE';
        keyHolders.set(name, { user, headers: await apiKey(headers, authority) });
      }
      const actor: ActorInWorld = {
        username: user.username,
        userId: user.id,
        headers: keyHolders.get(name)?.headers ?? headers,
      };
      return { actor, id, granuleId };
    },
  };
}
