import { type Authority, includesAuthority } from '@kaptain/contract';
import type { Caller } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';

/** Whether the caller may see the kapsule: an API key may be limited to some. */
export const isInReach = ({ kapsuleIds }: Caller, id: string): boolean => kapsuleIds?.includes(id) ?? true;

/** Whether the API key of the call was made for this; a person needs none. */
export const mayByKey = ({ keyAuthority }: Caller, wanted: Authority): boolean =>
  keyAuthority === undefined || includesAuthority([keyAuthority], wanted);

/** Refuses an API key that was made for less. */
export function requireOfKey(caller: Caller, wanted: Authority): void {
  if (!mayByKey(caller, wanted)) throw new AppError('API_KEY_NOT_ALLOWED');
}
