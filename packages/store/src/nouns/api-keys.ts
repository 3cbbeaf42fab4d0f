import type { Authority } from '@kaptain/contract';
import { flag, list, nullable, oneOf, optional, text } from './checks.ts';
import { type FormChange, noun, type Stored } from './noun.ts';

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
  /** It may delete granules: what earlier versions know of the authority. */
  mayDelete?: boolean;
  /** Absent in keys of earlier versions, which may write. */
  authority?: Authority;
}

const PAST = '1970-01-01T00:00:00.000Z';

/**
 * Form 2 has keys that only read. Earlier versions would let them write, so that they get them as expired, and the time
 * of expiry beside it.
 */
const readKeys: FormChange = {
  fromOlder({ expiry, ...key }) {
    if (expiry === undefined) return key;
    const { expiresAt: _, ...rest } = key;
    return expiry === null ? rest : { ...rest, expiresAt: expiry };
  },
  toOlder: (key) => {
    const { authority, expiresAt = null } = key;
    return authority === 'READ' ? { ...key, expiresAt: PAST, expiry: expiresAt } : key;
  },
};

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
    authority: optional(oneOf('READ', 'WRITE', 'DELETE')),
  },
  unique: ['keyHash'],
  indexes: ['userId'],
  formChanges: [readKeys],
});
