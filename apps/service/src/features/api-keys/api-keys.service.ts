import type { ApiKey } from '@kaptain/contract';
import { type ApiKeyRecord, type Store, UniqueError } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import type { Call } from '../../http/call.ts';
import { type ApiKeys, maskedKey } from '../../security/api-keys.ts';
import { audit } from '../../security/audit.ts';
import { requireStillAdmin } from '../../security/still-admin.ts';

export interface ApiKeysDeps {
  store: Store;
  apiKeys: ApiKeys;
  clock: () => number;
}

type KeyCall = Call<'adminWithApiKeys'>;

const shown = (record: ApiKeyRecord): ApiKey => ({
  _id: record.id,
  name: record.name,
  apikey: record.masked,
  userName: record.userName,
  createdAt: record.createdAt,
  lastUsedAt: record.lastUsedAt,
});

const targetOf = ({ id, name }: ApiKeyRecord) => ({ noun: 'apiKey', id, name });

export function apiKeysService({ store, apiKeys, clock }: ApiKeysDeps) {
  return {
    list: async (): Promise<ApiKey[]> => (await store.apiKeys.all()).map(shown),

    async create({ name, apikey }: { name: string; apikey: string }, call: KeyCall): Promise<ApiKey> {
      const keyHash = apiKeys.hash(apikey);
      const masked = maskedKey(apikey);
      try {
        return await store.transaction(async (nouns) => {
          await requireStillAdmin(nouns, call);
          const record = await nouns.apiKeys.insert({
            name,
            keyHash,
            masked,
            userId: call.caller.userId,
            userName: call.caller.username,
            createdAt: new Date(clock()).toISOString(),
            lastUsedAt: null,
          });
          const after = { name, apikey: masked };
          await audit(nouns, call, clock(), { action: 'apiKey.create', target: targetOf(record), after });
          return shown(record);
        });
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
