import { flag, optional, text } from './checks.ts';
import { noun, type Stored } from './noun.ts';

export interface SessionRecord extends Stored {
  /** SHA-256 of the token; the token itself is known to the browser alone. */
  tokenHash: string;
  userId: string;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
  ip: string;
  userAgent: string;
  /** When the user last showed who they are; absent while that is the login, or when the provider does not state it. */
  provenAt?: string;
  /** The provider of the company has opened it. */
  isByProvider?: boolean;
}

export const sessions = noun<SessionRecord>({
  name: 'sessions',
  fields: {
    tokenHash: text,
    userId: text,
    createdAt: text,
    lastSeenAt: text,
    expiresAt: text,
    ip: text,
    userAgent: text,
    provenAt: optional(text),
    isByProvider: optional(flag),
  },
  unique: ['tokenHash'],
  indexes: ['userId'],
});
