import type { GranuleState } from '@kaptain/contract';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { withApprovers } from '../approvals/with-approvers.ts';
import { visible } from '../kapsules/kapsule-access.ts';
import type { GranulesDeps } from './granules-deps.ts';
import { granulesOf } from './granules-of.ts';

export const granuleHistory =
  ({ store, dataSources, sheetLimit }: GranulesDeps) =>
  async (
    id: string,
    granuleId: string,
    before: number | undefined,
    call: Call<'loggedInOrExtension'>,
  ): Promise<GranuleState[]> => {
    const { caller } = call;
    sheetLimit.read(caller);
    const { kapsule } = await visible(store, id, caller);
    const granules = granulesOf({ store, dataSources }, kapsule);
    const granule = await granules.get(granuleId);
    const isSeen = granule?.kapsuleId === id && (granule.deletedAt === null || caller.role === 'ADMIN');
    if (!isSeen) throw new AppError('NOT_FOUND', 'There is no such record.');
    return withApprovers(store, id, granuleId, await granules.history(granuleId, before));
  };
