import type { KapsuleRecord, Nouns } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { targetOf } from './kapsule-access.ts';

/** Gives kapsules to another owner, inside the unit of work of the caller; one audit entry for each. */
export async function giveKapsules(
  nouns: Nouns,
  call: Call<'admin'>,
  now: number,
  kapsules: readonly KapsuleRecord[],
  userId: string,
): Promise<void> {
  const owner = await nouns.users.get(userId);
  if (!owner) throw new AppError('NOT_FOUND', 'The new owner does not exist.');
  for (const kapsule of kapsules.filter(({ ownerId }) => ownerId !== userId)) {
    const record = await nouns.kapsules.patch(kapsule.id, {
      owner: owner.username,
      ownerId: owner.id,
      updatedAt: new Date(now).toISOString(),
    });
    await audit(nouns, call, now, {
      action: 'kapsule.owner',
      target: targetOf(record),
      before: { owner: kapsule.owner },
      after: { owner: record.owner },
    });
  }
}
