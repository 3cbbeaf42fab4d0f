import type { ProposalConflict, ProposalResult, RefusedValue } from '@kaptain/contract';
import { toAppError } from '../../http/server/errors.ts';

/** Failures that are not about one proposal: the call ends with them. */
const ENDING: ReadonlySet<string> = new Set(['NOT_LOGGED_IN', 'INTERNAL', 'UNAVAILABLE', 'DISK_FULL']);

/** What a failure says of one proposal of many. */
export function failed(_id: string, error: unknown): ProposalResult {
  const { code, message, details } = toAppError(error);
  if (ENDING.has(code)) throw error;
  const { conflicts, refused } = (details ?? {}) as {
    conflicts?: ProposalConflict[];
    refused?: RefusedValue[];
  };
  return {
    _id,
    outcome: 'failed',
    code,
    message,
    ...(conflicts && { conflicts }),
    ...(refused && { refusals: refused }),
  };
}
