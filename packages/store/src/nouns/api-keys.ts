import { flag, list, nullable, optional, text } from './checks.ts';
import { noun, type Stored } from './noun.ts';

export interface ApiKeyRecord extends Stored {
  name: string;
  /** Keyed hash; the key itself is never stored. */
  keyHash: string;
  /** The key as the list shows it: beginning … last four. */
  masked: string;
  userId: string;
  userName: string;
  createdAt: string;
  lastUsedAt: string | null;
  /** Absent: it does not expire. */
  expiresAt?: string;
  /** The only kapsules that it opens; absent: all of them. */
  kapsuleIds?: string[];
  /** It may delete granules. */
  mayDelete?: boolean;
}

export const apiKeys = noun<ApiKeyRecord>({
  name: 'apiKeys',
  fields: {
    name: text,
    keyHash: text,
    masked: text,
    userId: text,
    userName: text,
    createdAt: text,
    lastUsedAt: nullable(text),
    expiresAt: optional(text),
    kapsuleIds: optional(list(text)),
    mayDelete: optional(flag),
  },
  unique: ['keyHash'],
  indexes: ['userId'],
});
