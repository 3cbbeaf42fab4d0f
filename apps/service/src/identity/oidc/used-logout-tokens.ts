import type { Nouns } from '@kaptain/store';
import { hashToken } from '../../base/secrets/tokens.ts';
import type { LogoutToken } from './provider-client.ts';

const rules = {
  /** A token is accepted for five minutes and a minute of tolerance; the clocks of instances differ too. */
  keptMs: 15 * 60_000,
  /** Expired ones are removed at most once in this time: a logout of all people brings thousands of tokens. */
  sweepMs: 60_000,
} as const;

/** The used tokens of back-channel logouts, in the store, so that one works once on all instances. */
export function createUsedLogoutTokens(clock: () => number) {
  let sweptAt = Number.NEGATIVE_INFINITY;

  async function sweep({ usedLogoutTokens }: Nouns): Promise<void> {
    const now = clock();
    if (Math.abs(now - sweptAt) < rules.sweepMs) return;
    sweptAt = now;
    const all = await usedLogoutTokens.all();
    const expired = all.filter(({ expiresAt }) => Date.parse(expiresAt) <= now);
    await usedLogoutTokens.removeMany(expired.map(({ id }) => id));
  }

  return {
    /** Throws UniqueError when the token was used before. */
    async add(nouns: Nouns, { id, issuer }: Pick<LogoutToken, 'id' | 'issuer'>): Promise<void> {
      await sweep(nouns);
      const expiresAt = new Date(clock() + rules.keptMs).toISOString();
      await nouns.usedLogoutTokens.insert({ tokenKey: hashToken(JSON.stringify([issuer, id])), expiresAt });
    },
  };
}
