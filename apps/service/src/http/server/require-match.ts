import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';

/**
 * Compares the If-Match header, e.g. `"12"`, with the version; the weak form and `*` are accepted, and so is a
 * missing header.
 */
export function requireMatch(call: Pick<Call, 'header'>, version: number): void {
  const given = call.header('if-match');
  if (given === undefined || given.trim() === '*') return;
  const tags = given.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (!tags.includes(`"${version}"`)) throw new AppError('STALE');
}
