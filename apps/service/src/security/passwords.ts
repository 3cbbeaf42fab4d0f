import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Semaphore } from '@kaptain/store/semaphore';
import { AppError } from '../http/app-error.ts';
import { onPasswordThread } from './password-threads.ts';

export interface PasswordCost {
  memoryKiB: number;
  rounds: number;
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a hash it takes as long and answers no: an unknown name must not be told by the clock. */
  verify(hash: string | undefined, password: string): Promise<boolean>;
  /** Whether a hash was made with a cost that is no longer ours. */
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
  const semaphore = new Semaphore(availableParallelism() > 2 ? 2 : 1, 100);
  const queued = async <T>(work: () => Promise<T>): Promise<T> => {
    if (semaphore.isQueueFull) {
      throw new AppError('TOO_MANY_REQUESTS', 'Too many logins at once. Please try again in a moment.', {
        retryAfter: 5,
      });
    }
    return semaphore.run(work);
  };
  return {
    hash: (password) => queued(async () => String(await onPasswordThread({ password, options }))),
    verify: (hash, password) =>
      queued(async () => (await onPasswordThread({ password, hash: hash ?? hashOfNone })) === true),
    isOutdated: (hash) => !hash.startsWith(prefix),
  };
}

/** A hash at the standard cost, for tools on the host. */
export const hashPassword = (password: string): Promise<string> => createPasswords().hash(password);
