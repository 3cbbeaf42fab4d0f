import type { Authority } from '@kaptain/contract';
import type { ApiKeyRecord, Store } from '@kaptain/store';
import type { Caller } from '../../base/call/call.ts';
import type { Settings } from '../../base/config/settings.ts';
import { hmac } from '../../base/secrets/hmac.ts';
import { newToken } from '../../base/secrets/tokens.ts';
import { KEY_USE_PRECISION_MS } from '../tuning.ts';

const PREFIX = 'kpt_';

export interface ApiKeys {
  generate(): string;
  /**
   * Hashes with a secret that is not in the database, so that a stolen copy of the database is of no use to guess
   * keys.
   */
  hash(key: string): string;
  /** The creator of the key, while API keys are on, the key has not expired and the creator is an ADMIN. */
  find(key: string): Promise<Caller | undefined>;
  /** The same for a key that was found before; does not count as a use. */
  findById(id: string): Promise<Caller | undefined>;
}

/** The part of a key that lists show: its beginning and its last four characters. */
export const maskedKey = (key: string): string =>
  `${key.slice(0, key.startsWith(PREFIX) ? PREFIX.length + 4 : 4)}…${key.slice(-4)}`;

/** Keys of earlier versions write, and delete if they may. */
export const authorityOfKey = ({ authority, mayDelete }: ApiKeyRecord): Authority =>
  authority ?? (mayDelete ? 'DELETE' : 'WRITE');

interface Deps {
  store: Store;
  settings: Settings;
  pepper: () => Buffer;
  clock: () => number;
}

export function createApiKeys({ store, settings, pepper, clock }: Deps): ApiKeys {
  /** When `lastUsedAt` of a key was last written, so that parallel requests write it once. */
  const used = new Map<string, number>();

  async function touch({ id, lastUsedAt }: ApiKeyRecord): Promise<void> {
    const now = clock();
    const isRecent = (time: number) => Math.abs(now - time) < KEY_USE_PRECISION_MS;
    if (isRecent(Date.parse(lastUsedAt ?? '')) || isRecent(used.get(id) ?? 0)) return;
    if (used.size > 10_000) used.clear();
    used.set(id, now);
    await store.apiKeys.patch(id, { lastUsedAt: new Date(now).toISOString() });
  }

  async function callerOf(record: ApiKeyRecord): Promise<Caller | undefined> {
    if (record.expiresAt && Date.parse(record.expiresAt) <= clock()) return undefined;
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
      ...(record.kapsuleIds && { kapsuleIds: record.kapsuleIds }),
      keyAuthority: authorityOfKey(record),
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
      // Neither awaited nor required: the call succeeds on a full disk and during the deletion of the key.
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
