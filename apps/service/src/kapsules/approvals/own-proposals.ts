import { foldName, type ProposalRecord } from '@kaptain/store';
import { authorKey } from '../../identity/users/author-id.ts';
import { personOfQlikId } from '../../identity/users/platform-person.ts';
import type { Writer } from '../data-api/writer.ts';

/** Who the writer certainly is; a server with an API key is the author only of what the same account has sent. */
const ownKeys = ({ id, person }: Writer): string[] => [authorKey(id), ...(person ? [authorKey(person)] : [])];

/** Whether the writer has certainly made the proposal, so that they may withdraw it. */
export const isOwnProposal = (
  proposal: Pick<ProposalRecord, 'authorKey' | 'accountId'>,
  writer: Writer,
): boolean =>
  ownKeys(writer).includes(proposal.authorKey) &&
  (!('namedByServer' in writer.id) || proposal.accountId === writer.caller.userId);

/**
 * Whether the writer may be its author, who must not approve it: the same account by whatever session, sheet or key, or the same name,
 * which a server may have given.
 */
export function mayBeAuthor(
  { authorKey: key, accountId, author }: Pick<ProposalRecord, 'authorKey' | 'accountId' | 'author'>,
  writer: Writer,
): boolean {
  const { user, caller } = writer;
  const asPerson = user && personOfQlikId(user.qlikId);
  const names = [writer.author, caller.username].map(foldName);
  return (
    ownKeys(writer).includes(key) ||
    accountId === caller.userId ||
    (asPerson !== undefined && authorKey(asPerson) === key) ||
    names.includes(foldName(author))
  );
}
