import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';

/**
 * Compares the If-Match header, e.g. `"12"`, with the version; the weak form and `*` are accepted, and so is a
 * missing header.
 */
export function requireMatch(call: Pick<Call, 'header'>, version: number): void {
  const ifMatch = call.header('if-match');
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (!tags.includes(`"${version}"`)) throw new AppError('STALE');
}
