import { isStorable, limits } from '@kaptain/contract';
import type { UserRecord } from '@kaptain/store';
import type { KnownCall } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { authorName } from '../../identity/users/author-name.ts';

/** Node reads headers as Latin-1; names beyond ASCII are sent as UTF-8. */
function decoded(header: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}

/**
 * The author of a write: with an API key the platform user in X-Kaptain-User, unchanged; with a session or a token
 * of the extension always the user.
 */
export function authorOf(call: KnownCall, user: UserRecord): string {
  const own = authorName(user);
  const header = call.caller.apiKey === undefined ? undefined : call.header('x-kaptain-user');
  if (header === undefined || header === '') return own;
  const author = decoded(header);
  if (author.length > limits.nameCharacters || !isStorable(author))
    throw new AppError('BAD_INPUT', 'X-Kaptain-User is not valid.');
  return author;
}
