import type { Role } from '@kaptain/contract';
import { noun, type Stored } from './noun.ts';

/** Failed logins in a row, and what followed. */
export interface LoginAttempts {
  loginAttempts: number;
  /** How many locks in a row; each lasts longer than the one before. */
  lockCount: number;
  /** Until when it is locked. */
  lockTime: string | null;
  lastLoginAttempt: string | null;
}

/** Its own attempts count the logins from devices that are not known. */
export interface UserRecord extends Stored, LoginAttempts {
  username: string;
  /** The name as it is compared: NFKC and case folding, so that no look-alike can be created beside it. */
  nameKey: string;
  passwordHash: string;
  role: Role;
  qlikId: string;
  isCreate: boolean;
  /** The account made by the first visit; special by this flag, never by its name. */
  isFirstAdmin: boolean;
  /** Those on devices that the user has logged in with before. */
  deviceAttempts?: Record<string, LoginAttempts>;
  createdAt: string;
  updatedAt: string;
}

export const users = noun<UserRecord>({ name: 'users', unique: ['nameKey'], indexes: ['role'] });
