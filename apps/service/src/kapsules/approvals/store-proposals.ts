import { limits } from '@kaptain/contract';
import { sameValue } from '@kaptain/contract/same-value';
import type { KapsuleRecord, ProposalRecord, Unit } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { KnownCall } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { authorKey } from '../../identity/users/author-id.ts';
import { requireFitting } from '../data-api/granule-saving.ts';
import type { Writer } from '../data-api/writer.ts';
import { targetOf } from '../kapsules/kapsule-access.ts';
import { isOwnProposal } from './own-proposals.ts';
import { rowKeyOf } from './row-key.ts';
import type { Draft } from './split-proposed.ts';

interface Proposing {
  kapsule: KapsuleRecord;
  writer: Writer;
  comment: string | undefined;
  call: KnownCall;
  now: number;
  granuleBytes: number;
}

/** The number of keys that an audit entry lists. */
const NAMED = 100;

/** Merged proposals must still fit into a record. */
function requireRoomFor({ key, values, base }: Draft, most: number): void {
  requireFitting(
    [
      { key, data: values },
      { key, data: base },
    ],
    most,
  );
}

async function requireRoomIn(unit: Unit, { id }: KapsuleRecord): Promise<void> {
  const most = limits.openProposalsPerKapsule;
  if ((await unit.proposals.sizeBy('openIn', id)).count <= most) return;
  throw new AppError(
    'LIMIT_REACHED',
    `At most ${most} proposals wait at a time: please decide or withdraw some.`,
    {
      details: { limit: 'openProposalsPerKapsule', most },
    },
  );
}

const includes = (all: Draft['values'], some: Draft['values']): boolean =>
  Object.entries(some).every(([name, value]) => Object.hasOwn(all, name) && sameValue(all[name], value));

/** The same change of the same stored values, e.g. by a repeated request. */
const isAskedAlready = (
  { base, values, comment }: ProposalRecord,
  draft: Draft,
  newComment: string | undefined,
) =>
  (newComment === undefined || newComment === comment) &&
  includes(values, draft.values) &&
  includes(base, draft.base);

/** Stores changes as proposals; the open one that the author has of a record takes up the new values. */
export async function storeProposals(
  unit: Unit,
  drafts: readonly Draft[],
  { kapsule, writer, comment, call, now, granuleBytes }: Proposing,
): Promise<{ _id: string; key: string }[]> {
  const at = new Date(now).toISOString();
  const stored: { _id: string; key: string }[] = [];
  const changed: string[] = [];
  let isOneMore = false;
  for (const draft of drafts) {
    const { key } = draft;
    const rowKey = rowKeyOf(kapsule.id, key);
    const own = (await unit.proposals.findBy('rowKey', rowKey)).find((one) => isOwnProposal(one, writer));
    if (own && isAskedAlready(own, draft, comment)) {
      stored.push({ _id: own.id, key });
      continue;
    }
    const merged = own && {
      ...draft,
      base: { ...own.base, ...draft.base },
      values: { ...own.values, ...draft.values },
    };
    requireRoomFor(merged ?? draft, granuleBytes);
    const change = { ...(merged ?? draft), approvals: [], updatedAt: at };
    const { id } = own
      ? await unit.proposals.patch(own.id, { ...change, comment: comment ?? own.comment }, own.version)
      : await unit.proposals.insert({
          ...change,
          kapsuleId: kapsule.id,
          openIn: kapsule.id,
          rowKey,
          state: 'open',
          author: writer.author,
          authorKey: authorKey(writer.id),
          ...(writer.caller.user && { accountId: writer.caller.userId }),
          comment: comment ?? '',
          decidedBy: null,
          decidedAt: null,
          reason: null,
          madeState: null,
          createdAt: at,
        });
    isOneMore ||= own === undefined;
    stored.push({ _id: id, key });
    changed.push(key);
  }
  if (isOneMore) await requireRoomIn(unit, kapsule);
  const after = { count: changed.length, keys: changed.slice(0, NAMED), user: writer.author };
  if (changed.length > 0)
    await audit(unit, call, now, { action: 'proposal.make', target: targetOf(kapsule), after });
  return stored;
}
