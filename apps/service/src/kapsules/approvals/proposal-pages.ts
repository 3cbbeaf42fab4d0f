import { PageRoom } from '@kaptain/contract/granule-records';
import type { Nouns, ProposalRecord, RecentQuery } from '@kaptain/store';
import { PROPOSALS_READ } from '../tuning.ts';

interface Wanted {
  where: NonNullable<RecentQuery<ProposalRecord>['where']>;
  before?: string | undefined;
  limit: number;
  isShown?: (proposal: ProposalRecord) => boolean | Promise<boolean>;
}

interface Found {
  rows: ProposalRecord[];
  /** The next page begins before this id; null after the last one. */
  next: string | null;
}

export const bytesOfProposal = ({ base, values }: ProposalRecord): number =>
  Buffer.byteLength(JSON.stringify([base, values]));

/** The newest proposals first, as many as fit into one answer; only a few are held at a time. */
export async function proposalPage(
  { proposals }: Pick<Nouns, 'proposals'>,
  { where, before, limit, isShown = () => true }: Wanted,
): Promise<Found> {
  const room = new PageRoom();
  const rows: ProposalRecord[] = [];
  let last = before;
  for (;;) {
    const some = await proposals.recent({
      where,
      limit: PROPOSALS_READ,
      ...(last !== undefined && { before: last }),
    });
    for (const proposal of some) {
      if (await isShown(proposal)) {
        if (rows.length === limit || !room.takes(bytesOfProposal(proposal)))
          return { rows, next: last ?? null };
        rows.push(proposal);
      }
      last = proposal.id;
    }
    if (some.length < PROPOSALS_READ) return { rows, next: null };
  }
}

/** Pages of several kapsules as one: what is older than the end of a cut page is left for the next one. */
export function mergedPages(pages: readonly Found[], limit: number): Found {
  const end = pages.reduce((latest, { next }) => (next !== null && next > latest ? next : latest), '');
  const all = pages.flatMap(({ rows }) => rows).filter(({ id }) => id >= end);
  all.sort((one, other) => (one.id < other.id ? 1 : -1));
  const room = new PageRoom();
  const cut = all.findIndex((row, index) => index === limit || !room.takes(bytesOfProposal(row)));
  if (cut < 0) return { rows: all, next: end === '' ? null : end };
  return { rows: all.slice(0, cut), next: all[cut - 1]?.id ?? null };
}
