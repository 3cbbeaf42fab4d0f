import type { Role } from '@kaptain/contract';
import { noun, type Stored } from './noun.ts';

export interface UserRecord extends Stored {
  username: string;
  /** The name as it is compared: NFKC and case folding, so that no look-alike can be created beside it. */
  nameKey: string;
  passwordHash: string;
  role: Role;
  qlikId: string;
  isCreate: boolean;
  /** The account made by the first visit; special by this flag, never by its name. */
  isFirstAdmin: boolean;
  loginAttempts: number;
  /** How many locks in a row; each lasts longer than the one before. */
  lockCount: number;
  /** Until when the account is locked. */
  lockTime: string | null;
  lastLoginAttempt: string | null;
  createdAt: string;
  updatedAt: string;
}

export const users = noun<UserRecord>({ name: 'users', unique: ['nameKey'], indexes: ['role'] });
