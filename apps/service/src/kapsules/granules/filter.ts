import type { FieldFilter } from '@kaptain/contract';
import type { GranuleFilter, KapsuleRecord } from '@kaptain/store';
import type { Caller } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { conditionsOf } from './field-conditions.ts';

export interface GivenFilter {
  q?: string | undefined;
  reloaded?: boolean | undefined;
  deleted?: boolean | undefined;
  where?: FieldFilter[] | undefined;
}

/** The store's filter; only ADMINs, who can restore them, may list deleted granules. */
export function filterOf(
  { q, reloaded, deleted, where = [] }: GivenFilter,
  kapsule: KapsuleRecord,
  { role }: Caller,
): GranuleFilter {
  if (deleted && role !== 'ADMIN') throw new AppError('FORBIDDEN', 'Only an ADMIN may see deleted records.');
  return {
    ...(q !== undefined && q !== '' && { q }),
    ...(reloaded !== undefined && { reloaded }),
    ...(deleted && { deleted }),
    ...(where.length > 0 && { where: conditionsOf(where, kapsule) }),
  };
}
