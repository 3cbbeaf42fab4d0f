import { isDeepStrictEqual } from 'node:util';
import { type Approval, DEFAULT_DATABASE } from '@kaptain/contract';
import type { KapsuleRecord, Nouns } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { presentCaller } from '../../identity/sessions/present-caller.ts';
import type { KapsulesDeps } from '../kapsules/create-kapsule.ts';
import { changeable, targetOf } from '../kapsules/kapsule-access.ts';
import { requireApprovalFits } from './require-approval-fits.ts';

const bad = (message: string) => new AppError('BAD_INPUT', message);

/** Each group must have the kapsule: its members could not read what they approve. */
async function requireGroups(
  { groups }: Nouns,
  kapsule: KapsuleRecord,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) {
    const group = await groups.get(id);
    if (!group?.kapsuleIds.includes(kapsule.id))
      throw bad('A chosen group does not exist, or does not have this.');
  }
}

/** What an approval asks for, without what it repeats. */
const normal = ({ fields, groupIds, count }: Approval): Approval => ({
  ...(fields && { fields: [...new Set(fields)] }),
  groupIds: [...new Set(groupIds)],
  count,
});

/** Other programs write into tables of a data source, and other kapsules may share them. */
function requireOwnDatabase({ database }: KapsuleRecord): void {
  if (database !== DEFAULT_DATABASE)
    throw new AppError(
      'CONFLICT',
      `Its records are in a table on ${database}, which other programs change without approval: approval can’t be asked for there.`,
    );
}

/** Sets which changes of a kapsule need approval, and whose; an unchanged choice is neither stored nor audited. */
export const changeApproval =
  ({ store, clock }: Pick<KapsulesDeps, 'store' | 'clock'>) =>
  (id: string, given: Approval | null, call: Call<'loggedIn'>): Promise<void> =>
    store.transaction(async (nouns) => {
      const caller = await presentCaller(nouns, call.caller);
      const { kapsule } = await changeable(nouns, id, caller);
      const before = kapsule.approval ?? null;
      const approval = given && normal(given);
      if (approval) {
        requireOwnDatabase(kapsule);
        requireApprovalFits(approval, kapsule.fields, bad);
        await requireGroups(nouns, kapsule, approval.groupIds);
      }
      if (isDeepStrictEqual(before, approval)) return;
      await nouns.kapsules.patch(id, { approval, updatedAt: new Date(clock()).toISOString() });
      await audit(nouns, call, clock(), {
        action: 'kapsule.approval',
        target: targetOf(kapsule),
        before: { approval: before },
        after: { approval },
      });
    });
