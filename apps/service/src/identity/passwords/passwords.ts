import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Semaphore } from '@kaptain/store/semaphore';
import { AppError } from '../../base/errors/app-error.ts';
import { WAITING_LOGINS } from '../tuning.ts';
import { onPasswordThread } from './password-threads.ts';

export interface PasswordCost {
  memoryKiB: number;
  rounds: number;
}

export interface Passwords {
  /** Runs work that hashes or verifies; throws 429 before it begins when 100 others wait already. */
  admit<T>(work: () => Promise<T>): Promise<T>;
  /** To be called inside `admit`, like `verify`. */
  hash(password: string): Promise<string>;
  /** Without a hash it takes as long and returns false, so that its duration does not tell whether a user exists. */
  verify(hash: string | undefined, password: string): Promise<boolean>;
  poolUse(): { busy: number; waiting: number };
  /** Whether a hash was made with another cost than the current one. */
  isOutdated(hash: string): boolean;
}

const ARGON2ID = 2;
const unpadded = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '');

export function createPasswords(cost: PasswordCost = { memoryKiB: 64 * 1024, rounds: 3 }): Passwords {
  const options = {
    algorithm: ARGON2ID,
    memoryCost: cost.memoryKiB,
    timeCost: cost.rounds,
    parallelism: 1,
  };
  const prefix = `$argon2id$v=19$m=${cost.memoryKiB},t=${cost.rounds},p=1$`;
  const hashOfNone = `${prefix}${unpadded(16)}$${unpadded(32)}`;
  // At most two hashes at a time bound the memory, and leave a core for the other requests.
  const size = availableParallelism() > 2 ? 2 : 1;
  const threads = new Semaphore(size);
  const admitted = new Semaphore(size + WAITING_LOGINS);
  return {
    async admit(work) {
      if (!admitted.tryAcquire())
        throw new AppError('TOO_MANY_REQUESTS', 'Too many logins at once. Please try again in a moment.', {
          retryAfter: 5,
        });
      try {
        return await work();
      } finally {
        admitted.release();
      }
    },
    hash: (password) => threads.run(async () => String(await onPasswordThread({ password, options }))),
    verify: (hash, password) =>
      threads.run(async () => (await onPasswordThread({ password, hash: hash ?? hashOfNone })) === true),
    poolUse: () => threads.use,
    isOutdated: (hash) => !hash.startsWith(prefix),
  };
}

/** A hash at the standard cost, for the command line. */
export const hashPassword = (password: string): Promise<string> => createPasswords().hash(password);
