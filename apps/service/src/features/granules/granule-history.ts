import type { GranuleState } from '@kaptain/contract';
import { AppError } from '../../http/app-error.ts';
import type { Call } from '../../http/call.ts';
import { granulesOf } from '../../kapsule-rules/granules-of.ts';
import { visible } from '../../kapsule-rules/kapsule-access.ts';
import type { GranulesDeps } from './granules-deps.ts';

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
    return granules.history(granuleId, before);
  };
