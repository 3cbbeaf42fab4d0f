import type { Caller } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';

/** Whether the caller may see the kapsule: an API key may be limited to some. */
export const isInReach = ({ kapsuleIds }: Caller, id: string): boolean => kapsuleIds?.includes(id) ?? true;

/** Refuses an API key that was made without the permission to delete granules. */
export function requireDeletion({ apiKeyId, mayDelete }: Caller): void {
  if (apiKeyId !== undefined && mayDelete !== true) throw new AppError('API_KEY_NOT_ALLOWED');
}
