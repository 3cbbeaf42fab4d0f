import { list, nullable, oneOf, text } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** What lets the extension in a page write for one user: first a one-time code, then a token. */
export interface ExtensionGrantRecord extends Stored {
  kind: 'code' | 'token';
  /** SHA-256 of the code or the token. */
  secretHash: string;
  userId: string;
  /** The sign-in that this is derived from, and ends with. */
  sessionId: string;
  kapsuleIds: string[];
  /** Of the page that may use it. */
  origin: string;
  /** Of a code: the SHA-256 of the verifier that the page must show. */
  challenge: string | null;
  expiresAt: string;
}

export const extensionGrants = noun<ExtensionGrantRecord>({
  name: 'extensionGrants',
  fields: {
    kind: oneOf('code', 'token'),
    secretHash: text,
    userId: text,
    sessionId: text,
    kapsuleIds: list(text),
    origin: text,
    challenge: nullable(text),
    expiresAt: text,
  },
  unique: ['secretHash'],
  indexes: ['userId'],
});
