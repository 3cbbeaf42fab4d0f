import type { Nouns, Store } from '@kaptain/store';
import { DAY_MS } from '../../base/time/durations.ts';
import { PROPOSALS_REMOVED } from '../tuning.ts';

type Proposals = Pick<Nouns, 'proposals'>;

/** Removes the proposals of a kapsule that can't be restored, a few at a time. */
export async function removeProposals({ proposals }: Proposals, kapsuleId: string): Promise<void> {
  for (;;) {
    const some = await proposals.recent({ where: { kapsuleId }, limit: PROPOSALS_REMOVED });
    await proposals.removeMany(some.map(({ id }) => id));
    if (some.length < PROPOSALS_REMOVED) return;
  }
}

/** How long a proposal that was refused or withdrawn is kept. Accepted ones belong to the history of their granules. */
const KEPT_DAYS = 90;

/** Removes what was refused or withdrawn long ago. */
export async function sweepProposals({ proposals }: Pick<Store, 'proposals'>, now: number): Promise<void> {
  const until = new Date(now - KEPT_DAYS * DAY_MS).toISOString();
  for (const state of ['refused', 'withdrawn'] as const) {
    let before: string | undefined;
    for (;;) {
      // None is decided before it is made.
      const query = { where: { state }, until, limit: PROPOSALS_REMOVED };
      const some = await proposals.recent({ ...query, ...(before !== undefined && { before }) });
      const old = some.filter(({ decidedAt }) => decidedAt !== null && decidedAt < until);
      await proposals.removeMany(old.map(({ id }) => id));
      if (some.length < PROPOSALS_REMOVED) break;
      before = some.at(-1)?.id;
    }
  }
}
