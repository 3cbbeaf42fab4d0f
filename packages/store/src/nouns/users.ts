import type { Role } from '@kaptain/contract';
import { type Checks, flag, list, nullable, oneOf, optional, record, shape, text, whole } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** Failed logins in a row, and the lock. */
export interface LoginAttempts {
  loginAttempts: number;
  /** How many locks in a row; each lasts longer than the one before. */
  lockCount: number;
  /** The time until which it is locked. */
  lockTime: string | null;
  lastLoginAttempt: string | null;
}

/** A public key whose private half a phone, a computer or a security key keeps. */
export interface PasskeyRecord {
  id: string;
  name: string;
  /** Base64url, as the browser reports it. */
  credentialId: string;
  /** COSE, in base64url. */
  publicKey: string;
  /** How often the authenticator has signed; 0 when it does not count. */
  counter: number;
  transports: string[];
  /** The host name that it was made for: the browser uses it under no other one. */
  host: string;
  createdAt: string;
  lastUsedAt: string | null;
}

/** The second factor of a user at a login. */
export interface SecondFactor {
  /** An authenticator app: its sealed secret, and the time step of the last code, so that no code is used twice. */
  totp: { sealedSecret: string; lastStep: number; since: string } | null;
  /** HMACs of the recovery codes that are left. */
  recoveryHashes: string[];
  passkeys?: PasskeyRecord[];
}

const attempts: Checks<LoginAttempts> = {
  loginAttempts: whole,
  lockCount: whole,
  lockTime: nullable(text),
  lastLoginAttempt: nullable(text),
};

const passkey = shape<PasskeyRecord>({
  id: text,
  name: text,
  credentialId: text,
  publicKey: text,
  counter: whole,
  transports: list(text),
  host: text,
  createdAt: text,
  lastUsedAt: nullable(text),
});

const secondFactor = shape<SecondFactor>({
  totp: nullable(
    shape<NonNullable<SecondFactor['totp']>>({ sealedSecret: text, lastStep: whole, since: text }),
  ),
  recoveryHashes: list(text),
  passkeys: optional(list(passkey)),
});

/** Counts for this Qlik id alone: an older instance changes the id and not the time. */
export interface GivenQlikId {
  qlikId: string;
  at: string;
}

/** The counters of the account: logins from unknown devices. */
export interface UserRecord extends Stored, LoginAttempts {
  username: string;
  /** The name as it is compared: NFKC and case folding, so that no look-alike can be created beside it. */
  nameKey: string;
  /** Identifies a person of the provider, by issuer and subject. */
  subjectKey?: string;
  /** Empty when the user has no password. */
  passwordHash: string;
  role: Role;
  qlikId: string;
  /** Since when the account has it at the latest; without it, since the last update. */
  qlikIdGiven?: GivenQlikId;
  /** May create kapsules; an ADMIN always may. */
  isCreate: boolean;
  /** The first admin; special by this flag, never by its name. */
  isFirstAdmin: boolean;
  /** The counters of known devices. */
  deviceAttempts?: Record<string, LoginAttempts>;
  secondFactor?: SecondFactor;
  createdAt: string;
  updatedAt: string;
}

export const users = noun<UserRecord>({
  name: 'users',
  fields: {
    username: text,
    nameKey: text,
    subjectKey: optional(text),
    passwordHash: text,
    role: oneOf('ADMIN', 'USER'),
    qlikId: text,
    qlikIdGiven: optional(shape<GivenQlikId>({ qlikId: text, at: text })),
    isCreate: flag,
    isFirstAdmin: flag,
    ...attempts,
    deviceAttempts: optional(record(shape<LoginAttempts>(attempts))),
    secondFactor: optional(secondFactor),
    createdAt: text,
    updatedAt: text,
  },
  unique: ['nameKey', 'subjectKey'],
  indexes: ['role'],
});
