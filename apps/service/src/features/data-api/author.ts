import { isStorable, limits } from '@kaptain/contract';
import type { UserRecord } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import type { KnownCall } from '../../http/call.ts';

/** Headers are bytes; names beyond ASCII come as UTF-8. */
function decoded(header: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}

/**
 * Who wrote it: for a key the platform user that the extension names, as it is; somebody logged in always is
 * themselves.
 */
export function authorOf(call: KnownCall, user: UserRecord): string {
  const own = user.qlikId || user.username;
  const given = call.caller.apiKey === undefined ? undefined : call.header('x-kaptain-user');
  if (given === undefined || given === '') return own;
  const author = decoded(given);
  if (author.length > limits.nameCharacters || !isStorable(author))
    throw new AppError('BAD_INPUT', 'X-Kaptain-User is not valid.');
  return author;
}
