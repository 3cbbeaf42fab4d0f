import { createPasswords, type Passwords } from '../identity/passwords/passwords.ts';

/** Real passwords that count verifications with a hash and without one. */
export function countingPasswords(): Passwords & { verified: number; pretended: number } {
  const real = createPasswords({ memoryKiB: 64, rounds: 1 });
  return {
    ...real,
    verified: 0,
    pretended: 0,
    verify(hash, password) {
      if (hash === undefined) this.pretended += 1;
      else this.verified += 1;
      return real.verify(hash, password);
    },
  };
}

/** Real passwords whose work waits between `hold` and `release`. */
export function heldPasswords(): Passwords & { hold(): void; release(): void } {
  const real = createPasswords({ memoryKiB: 64, rounds: 1 });
  let held = Promise.withResolvers<void>();
  held.resolve();
  return {
    ...real,
    hash: (password) => held.promise.then(() => real.hash(password)),
    verify: (hash, password) => held.promise.then(() => real.verify(hash, password)),
    hold() {
      held = Promise.withResolvers<void>();
    },
    release: () => held.resolve(),
  };
}
