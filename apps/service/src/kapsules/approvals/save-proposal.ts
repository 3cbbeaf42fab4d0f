import { isDeepStrictEqual } from 'node:util';
import type { ProposalConflict } from '@kaptain/contract';
import { rowCheck } from '@kaptain/contract/field-rules';
import type { SeenLock } from '@kaptain/contract/locks';
import { ownValue } from '@kaptain/contract/own-value';
import { sameValue } from '@kaptain/contract/same-value';
import type {
  GranuleInput,
  GranuleRecord,
  KapsuleRecord,
  Nouns,
  ProposalRecord,
  StoredGranule,
  Unit,
} from '@kaptain/store';
import type { KnownCall } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { SavingDeps } from '../data-api/data-api-deps.ts';
import { type Admitted, granuleSaving } from '../data-api/granule-saving.ts';
import { granulesOf } from '../granules/granules-of.ts';
import { requireWhole } from '../granules/look-up-pages.ts';
import { OvertakenError } from '../locks/overtaken-error.ts';
import { locksForAccount } from '../locks/seen-locks-of.ts';
import { checkRows } from '../values/check-rows.ts';
import { shownValue } from '../values/refusal-tally.ts';
import { madeState } from './made-state.ts';

/** Of one proposal; an answer tells about many. */
const MOST_CONFLICTS = 20;

/** The fields that another save has changed to something else than the author knew and wants. */
function conflictsOf({ base, values }: ProposalRecord, stored: GranuleRecord | null): ProposalConflict[] {
  const conflicts: ProposalConflict[] = [];
  for (const [field, proposed] of Object.entries(values)) {
    const [before, now] = [base[field], ownValue(stored?.data ?? {}, field)];
    if (sameValue(now, before) || (stored && sameValue(now, proposed))) continue;
    conflicts.push({
      field,
      base: shownValue(before),
      stored: shownValue(now ?? null),
      proposed: shownValue(proposed),
    });
  }
  return conflicts.slice(0, MOST_CONFLICTS);
}

function requireNoConflict(proposal: ProposalRecord, stored: GranuleRecord | null): void {
  if (!stored && proposal.baseVersion > 0)
    throw new AppError('CONFLICT', 'The record was deleted meanwhile.', { details: { conflicts: [] } });
  const conflicts = conflictsOf(proposal, stored);
  if (conflicts.length > 0)
    throw new AppError('CONFLICT', 'The same values were changed meanwhile.', { details: { conflicts } });
}

/** The stored values with the proposed ones in their place. */
function withProposed(stored: GranuleRecord | null, values: ProposalRecord['values']): GranuleInput['data'] {
  const data = new Map(Object.entries(stored?.data ?? {}));
  for (const [name, value] of Object.entries(values))
    if (value !== null || data.has(name)) data.set(name, value);
  return Object.fromEntries(data);
}

interface MadeRow {
  row: GranuleInput;
  /** As its author meets them. */
  locks: SeenLock[];
}

/** What closes rows for the author of a proposal: one whose account is gone, or who has none, is in no group. */
async function locksOfAuthor(
  nouns: Pick<Nouns, 'groups' | 'users'>,
  kapsule: KapsuleRecord,
  { accountId }: ProposalRecord,
  now: number,
): Promise<SeenLock[]> {
  const user = accountId === undefined ? undefined : await nouns.users.get(accountId);
  return locksForAccount(nouns, kapsule, user && { userId: user.id, username: user.username }, now);
}

/** Saves the values of a proposal as any save does: beside what is stored now, and by the rules of now. */
export function saveProposal(deps: SavingDeps) {
  const saving = granuleSaving(deps);

  /** The row that the proposal makes; throws where it can't be saved. */
  async function rowOf({ kapsule, writer }: Admitted, proposal: ProposalRecord): Promise<MadeRow> {
    const granules = granulesOf(deps, kapsule);
    const [found = null] = await granules.lookup(kapsule.id, [proposal.key]);
    const stored = requireWhole(found);
    requireNoConflict(proposal, stored);
    const { key, author: user } = proposal;
    const row = { key, user, data: withProposed(stored, proposal.values), version: stored?.version ?? 0 };
    const known = await deps.readKnownValues(kapsule, writer.caller, [row]);
    const locks = await locksOfAuthor(deps.store, kapsule, proposal, deps.clock());
    const checks = rowCheck(kapsule.fields, known, locks);
    const [checked = row] = await checkRows(granules, kapsule, checks, [row]);
    return { row: checked, locks };
  }

  /** The proposal is closed by `close` in the unit of the save; `made` is the state that the save has made, if it has made one. */
  async function save(
    admitted: Admitted,
    { row, locks }: MadeRow,
    proposal: ProposalRecord,
    after: Record<string, unknown>,
    call: KnownCall,
    close: (unit: Unit, made: string | null) => Promise<void>,
  ): Promise<void> {
    const madeBy = ([granule]: readonly StoredGranule[]) =>
      granule && granule.version !== row.version ? madeState(granule.id, granule.version) : null;
    await saving.save(admitted, [row], { action: 'proposal.accept', after }, call, async (unit, stored) => {
      const present = await locksOfAuthor(unit, admitted.kapsule, proposal, deps.clock());
      if (!isDeepStrictEqual(present, locks)) throw new OvertakenError();
      await close(unit, madeBy(stored));
    });
  }

  return { rowOf, save };
}
