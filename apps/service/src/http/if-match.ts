import { AppError } from './app-error.ts';
import type { Call } from './call.ts';

/** `"12"`; the weak form and the star count too, a missing header is accepted. */
export function requireMatch(call: Pick<Call, 'header'>, version: number): void {
  const given = call.header('if-match');
  if (given === undefined || given.trim() === '*') return;
  const tags = given.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (!tags.includes(`"${version}"`)) throw new AppError('STALE');
}
