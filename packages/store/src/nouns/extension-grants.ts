import { list, nullable, oneOf, optional, shape, text } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** The right of the extension in a page to write for one person: a one-time code and then a token, or a token by a proof. */
export interface ExtensionGrantRecord extends Stored {
  kind: 'code' | 'token';
  /** SHA-256 of the code or the token. */
  secretHash: string;
  /** The account; one of a person without an account begins with `platform:`. */
  userId: string;
  /** The sign-in that this is derived from, and ends with; null when the platform has proven who the person is. */
  sessionId: string | null;
  /** The name of the user on the platform that was proven; it is shown. */
  platformUser?: string | null;
  /** The user on the platform that was proven; it is compared. */
  platformPerson?: { directory: string; userId: string } | null;
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
    sessionId: nullable(text),
    platformUser: optional(nullable(text)),
    platformPerson: optional(
      nullable(shape<{ directory: string; userId: string }>({ directory: text, userId: text })),
    ),
    kapsuleIds: list(text),
    origin: text,
    challenge: nullable(text),
    expiresAt: text,
  },
  unique: ['secretHash'],
  indexes: ['userId'],
});
