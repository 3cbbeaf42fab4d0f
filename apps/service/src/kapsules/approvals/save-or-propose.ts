import type { RowCheck } from '@kaptain/contract/field-rules';
import type { GranuleInput, StoredGranule } from '@kaptain/store';
import type { AuditEntry } from '../../base/audit/audit.ts';
import type { KnownCall } from '../../base/call/call.ts';
import type { SavingDeps } from '../data-api/data-api-deps.ts';
import { type Admitted, granuleSaving } from '../data-api/granule-saving.ts';
import { presentWriter } from '../data-api/writer.ts';
import { granulesOf } from '../granules/granules-of.ts';
import { splitProposed } from './split-proposed.ts';
import { storeProposals } from './store-proposals.ts';

interface Saved {
  stored: StoredGranule[];
  proposed: { _id: string; key: string }[];
}

/** Saves rows into a kapsule that asks for approval: what needs it becomes a proposal, in the unit that stores the rest. */
export function saveOrPropose(deps: SavingDeps) {
  const saving = granuleSaving(deps);
  return async (
    admitted: Admitted,
    checks: RowCheck,
    rows: readonly GranuleInput[],
    comment: string | undefined,
    change: (saved: readonly GranuleInput[]) => Pick<AuditEntry, 'action' | 'after'>,
    call: KnownCall,
  ): Promise<Saved> => {
    const { kapsule } = admitted;
    const split = await splitProposed(granulesOf(deps, kapsule), kapsule, checks, rows);
    const { drafts } = split;
    const entry = change(split.rows);
    if (drafts.length === 0)
      return { stored: await saving.save(admitted, split.rows, entry, call), proposed: [] };
    let proposed: Saved['proposed'] = [];
    const stored = await saving.save(admitted, split.rows, entry, call, async (unit) => {
      const writer = await presentWriter(unit, call);
      const { granuleBytes, clock } = deps;
      const given = { kapsule, writer, comment, call, now: clock(), granuleBytes };
      proposed = await storeProposals(unit, drafts, given);
    });
    return { stored, proposed };
  };
}
