import type { GranuleFilter } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import type { Caller } from '../../http/call.ts';

interface Given {
  q?: string | undefined;
  reloaded?: boolean | undefined;
  deleted?: boolean | undefined;
}

/** The store's filter; only ADMINs, who can restore them, may list deleted granules. */
export function filterOf({ q, reloaded, deleted }: Given, { role }: Caller): GranuleFilter {
  if (deleted && role !== 'ADMIN') throw new AppError('FORBIDDEN', 'Only an ADMIN may see deleted records.');
  return {
    ...(q !== undefined && q !== '' && { q }),
    ...(reloaded !== undefined && { reloaded }),
    ...(deleted && { deleted }),
  };
}
