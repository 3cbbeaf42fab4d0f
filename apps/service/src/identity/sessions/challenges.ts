import type { ChallengeRecord, Nouns } from '@kaptain/store';
import { hashToken, newToken } from '../../base/secrets/tokens.ts';
import { CLOCK_TOLERANCE_MS } from '../../base/time/clock.ts';

/** How long a browser waits for the passkey of its user. */
export const PASSKEY_MS = 5 * 60_000;

const rules = { lifeMs: 10 * 60_000, perUser: 10 } as const;

const lifeOf = (kind: Kind): number => (kind === 'passkey' ? PASSKEY_MS : rules.lifeMs);

type Kind = ChallengeRecord['kind'];
type Reading = Pick<Nouns, 'challenges'>;

/** One that expires later than its lifetime allows was made while the clock was ahead, and is invalid. */
function isGood({ kind, expiresAt }: ChallengeRecord, now: number): boolean {
  const left = Date.parse(expiresAt) - now;
  return left > 0 && left <= lifeOf(kind) + CLOCK_TOLERANCE_MS;
}

/** Steps that another call finishes: in the store, so that any instance can finish them. */
export interface Challenges {
  create(nouns: Nouns, kind: Kind, userId: string, data?: string, sid?: string): Promise<string>;
  /** Found by its secret alone; `remove` uses it up. */
  find(nouns: Reading, kind: Kind, secret: string): Promise<ChallengeRecord | undefined>;
}

export function createChallenges(clock: () => number): Challenges {
  /** Removes the expired ones of a user, then the oldest. */
  async function makeRoom({ challenges }: Nouns, userId: string): Promise<void> {
    const all = await challenges.findBy('userId', userId);
    const kept = new Set(all.filter((entry) => isGood(entry, clock())).slice(-(rules.perUser - 1)));
    for (const entry of all) if (!kept.has(entry)) await challenges.remove(entry.id);
  }

  return {
    async create(nouns, kind, userId, data = '', sid) {
      await makeRoom(nouns, userId);
      const secret = newToken();
      const expiresAt = new Date(clock() + lifeOf(kind)).toISOString();
      const record = { kind, secretHash: hashToken(secret), userId, data, expiresAt };
      await nouns.challenges.insert({ ...record, ...(sid !== undefined && { sid }) });
      return secret;
    },
    async find({ challenges }, kind, secret) {
      const [found] = await challenges.findBy('secretHash', hashToken(secret));
      return found?.kind === kind && isGood(found, clock()) ? found : undefined;
    },
  };
}
