import { type ApiKey, type api, type Given, limits } from '@kaptain/contract';
import { type ApiKeyRecord, type Nouns, type Store, UniqueError } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { kapsuleNames } from '../groups/kapsule-names.ts';
import { requireStillAdmin } from '../sessions/require-still-admin.ts';
import { type ApiKeys, authorityOfKey, maskedKey } from './api-keys.ts';

export interface ApiKeysDeps {
  store: Store;
  apiKeys: ApiKeys;
  clock: () => number;
}

type KeyCall = Call<'adminWithApiKeys'>;
type NewKey = Given<typeof api.apiKeys.create>['body'];
type Names = ReadonlyMap<string, string>;

/** A deleted kapsule keeps its place in the list, so that the key never seems to open all of them. */
const shown = (record: ApiKeyRecord, names: Names): ApiKey => ({
  _id: record.id,
  name: record.name,
  apikey: record.masked,
  userName: record.userName,
  createdAt: record.createdAt,
  lastUsedAt: record.lastUsedAt,
  ...(record.expiresAt && { expiresAt: record.expiresAt }),
  mayDelete: authorityOfKey(record) === 'DELETE',
  authority: authorityOfKey(record),
  ...(record.kapsuleIds && {
    kapsules: record.kapsuleIds.map((id) => ({ _id: id, name: names.get(id) ?? 'deleted' })),
  }),
});

const targetOf = ({ id, name }: ApiKeyRecord) => ({ noun: 'apiKey', id, name });

async function requireRoom(nouns: Pick<Nouns, 'apiKeys'>): Promise<void> {
  if ((await nouns.apiKeys.all()).length < limits.apiKeys) return;
  throw new AppError(
    'LIMIT_REACHED',
    `There are ${limits.apiKeys.toLocaleString('en')} ApiKeys already. Please delete some that are not needed any more.`,
    { details: { limit: 'apiKeys', most: limits.apiKeys } },
  );
}

async function namesOf(nouns: Pick<Nouns, 'kapsules'>, ids: readonly string[]): Promise<Names> {
  const names = new Map<string, string>();
  for (const id of ids) {
    const kapsule = await nouns.kapsules.get(id);
    if (!kapsule) throw new AppError('BAD_INPUT', 'One of the chosen objects does not exist any more.');
    names.set(id, kapsule.name);
  }
  return names;
}

export function apiKeysService({ store, apiKeys, clock }: ApiKeysDeps) {
  async function insert(
    nouns: Nouns,
    {
      name,
      apikey,
      expiresAt,
      kapsuleIds,
      mayDelete = false,
      authority = mayDelete ? 'DELETE' : 'WRITE',
    }: NewKey,
    call: KeyCall,
  ) {
    await requireStillAdmin(nouns, call);
    await requireRoom(nouns);
    const chosen = kapsuleIds && [...new Set(kapsuleIds)];
    const names = await namesOf(nouns, chosen ?? []);
    const masked = maskedKey(apikey);
    const allowed = {
      ...(expiresAt && { expiresAt }),
      ...(chosen && { kapsuleIds: chosen }),
      ...(authority === 'DELETE' && { mayDelete: true }),
      authority,
    };
    const record = await nouns.apiKeys.insert({
      name,
      keyHash: apiKeys.hash(apikey),
      masked,
      userId: call.caller.userId,
      userName: call.caller.username,
      createdAt: new Date(clock()).toISOString(),
      lastUsedAt: null,
      ...allowed,
    });
    const after = {
      name,
      apikey: masked,
      ...(expiresAt && { expiresAt }),
      ...(chosen && { kapsules: [...names.values()] }),
      authority,
    };
    await audit(nouns, call, clock(), { action: 'apiKey.create', target: targetOf(record), after });
    return shown(record, names);
  }

  return {
    async list(): Promise<ApiKey[]> {
      const keys = await store.apiKeys.all();
      const names = await kapsuleNames(store, new Set(keys.flatMap(({ kapsuleIds = [] }) => kapsuleIds)));
      return keys.map((key) => shown(key, names));
    },

    async create(given: NewKey, call: KeyCall): Promise<ApiKey> {
      if (given.expiresAt && Date.parse(given.expiresAt) <= clock())
        throw new AppError('BAD_INPUT', 'Please choose a time in the future: this ApiKey would never work.');
      try {
        return await store.transaction((nouns) => insert(nouns, given, call));
      } catch (error) {
        if (!(error instanceof UniqueError)) throw error;
        throw new AppError('CONFLICT', 'This ApiKey exists already. Please generate another one.');
      }
    },

    remove: (id: string, call: KeyCall): Promise<void> =>
      store.transaction(async (nouns) => {
        await requireStillAdmin(nouns, call);
        const record = await nouns.apiKeys.get(id);
        if (!record) throw new AppError('NOT_FOUND', 'There is no such ApiKey.');
        await nouns.apiKeys.remove(id);
        const before = { name: record.name, apikey: record.masked, userName: record.userName };
        await audit(nouns, call, clock(), { action: 'apiKey.remove', target: targetOf(record), before });
      }),
  };
}
