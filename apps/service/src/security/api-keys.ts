import type { ApiKeyRecord, Store } from '@kaptain/store';
import type { Settings } from '../config/settings.ts';
import type { Caller } from '../http/call.ts';
import { hmac } from './hmac.ts';
import { newToken } from './tokens.ts';

const PREFIX = 'kpt_';
const USED_EVERY_MS = 60_000;

export interface ApiKeys {
  generate(): string;
  /** Keyed with a secret outside of the database: a stolen copy of the database can't be searched for keys. */
  hash(key: string): string;
  /** Its creator, while API keys are on and the creator is an ADMIN. */
  find(key: string): Promise<Caller | undefined>;
  /** The same for a key that was found before; does not count as a use. */
  findById(id: string): Promise<Caller | undefined>;
}

/** What a list may show of a key: beginning … last four. */
export const maskedKey = (key: string): string =>
  `${key.slice(0, key.startsWith(PREFIX) ? PREFIX.length + 4 : 4)}…${key.slice(-4)}`;

interface Deps {
  store: Store;
  settings: Settings;
  pepper: () => Buffer;
  clock: () => number;
}

export function createApiKeys({ store, settings, pepper, clock }: Deps): ApiKeys {
  /** When a key was last written as used, so that parallel requests write it once. */
  const used = new Map<string, number>();

  async function touch({ id, lastUsedAt }: ApiKeyRecord): Promise<void> {
    const now = clock();
    const isRecent = (time: number) => Math.abs(now - time) < USED_EVERY_MS;
    if (isRecent(Date.parse(lastUsedAt ?? '')) || isRecent(used.get(id) ?? 0)) return;
    if (used.size > 10_000) used.clear();
    used.set(id, now);
    await store.apiKeys.patch(id, { lastUsedAt: new Date(now).toISOString() });
  }

  async function callerOf(record: ApiKeyRecord): Promise<Caller | undefined> {
    const creator = await store.users.get(record.userId);
    if (creator?.role !== 'ADMIN') return undefined;
    const { id, username, role, isCreate, isFirstAdmin } = creator;
    return {
      userId: id,
      username,
      role,
      isCreate,
      isFirstAdmin,
      apiKey: record.name,
      apiKeyId: record.id,
      user: creator,
    };
  }

  const hash = (key: string) => hmac(pepper(), key);

  return {
    generate: () => `${PREFIX}${newToken()}`,
    hash,
    async find(key) {
      if (!settings.current().apiKey) return undefined;
      const [record] = await store.apiKeys.findBy('keyHash', hash(key));
      const caller = record && (await callerOf(record));
      // Not waited for and allowed to fail: a full disk or a deletion just now must not refuse the call.
      if (caller) touch(record).catch(() => undefined);
      return caller;
    },
    async findById(id) {
      if (!settings.current().apiKey) return undefined;
      const record = await store.apiKeys.get(id);
      return record && callerOf(record);
    },
  };
}
